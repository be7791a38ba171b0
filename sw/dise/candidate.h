// An entry on its way to the pattern table.
#pragma once

#include <set>
#include <vector>

#include "sw/dise/image.h"
#include "sw/dise/sequence.h"

namespace strobe::dise {

struct Candidate {
  PatternEntry entry;
  std::set<size_t> files;                           // it comes from, by number
  std::vector<const AssembledSequence*> sequences;  // one behind the other; none: null
  std::set<const Production*> productions;
};

}  // namespace strobe::dise
