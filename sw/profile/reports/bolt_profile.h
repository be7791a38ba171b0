// A profile of branches for BOLT, the optimizer of linked programs: its text form, "fdata"
// (llvm/bolt, Profile/DataReader.h).
#pragma once

#include <string>

#include "sw/profile/counts/profile.h"

namespace strobe::profile {

/// Writes a line for each branch or call and where it went, by pc and then by target:
///
///     1 FUNCTION OFFSET 1 FUNCTION OFFSET MISPREDICTIONS COUNT
///
/// @param branches  pc and, as the value, the target; the counts of all tags are added
/// @param missed    how many of them were mispredicted, where that is known
/// @param place_of  "FUNCTION OFFSET" of a pc, as isa::ElfFile::bolt_place() gives it; a line with
///                  an end that has none is left out
std::string bolt_profile(const Entries& branches, const Entries& missed, const SymbolOf& place_of);

}  // namespace strobe::profile
