// A candidate for an entry of the pattern table.
#pragma once

#include <set>
#include <vector>

#include "sw/dise/image/image.h"
#include "sw/dise/sequence.h"

namespace strobe::dise {

struct Candidate {
  PatternEntry entry;
  std::set<size_t> files;                           // the numbers of the files from which it comes
  std::vector<const AssembledSequence*> sequences;  // one after the other; empty: null
  std::set<const Production*> productions;
};

}  // namespace strobe::dise
