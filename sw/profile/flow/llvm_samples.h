// An edge profile for a compiler: LLVM's sample profile in its text form (llvm/ProfileData/
// SampleProfReader.h), which clang reads with -fprofile-sample-use.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "sc_models/port/control_flow.h"
#include "sw/profile/flow/edge_profile.h"
#include "sw/profile/reports/program_names.h"

namespace strobe::profile {

/// Writes for each function that is entered
///
///     NAME:TOTAL:ENTRIES
///      OFFSET: COUNT CALLEE:CALLS ...
///
/// with the counts scaled so that the most frequent block of the program has `hottest`, and
/// rounded; what rounds to 0 is left out. TOTAL is the sum of the counts.
///
/// An offset is the line of a block minus the line of the function's entry, where `line_of` knows
/// both in one file; blocks of one line give the largest of their counts. In a function whose entry
/// has no line, an offset is the number of the block from 1 in the order of FlowFunction::blocks.
/// LLVM takes offsets up to 65535: a block without such an offset is left out, and counts in TOTAL.
void write_llvm_samples(const ControlFlow& flow, const ProgramProfile& frequencies,
                        uint64_t hottest, const LineOf& line_of, std::ostream& out);

/// A name that the form can hold: `%`, `:`, `#`, blanks, control characters and bytes above 0x7e
/// become %XX, and `[`, which would begin a context, and a digit at the beginning, a count.
std::string llvm_name(const std::string& name);

}  // namespace strobe::profile
