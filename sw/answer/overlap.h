// How much of two profiles agrees.
#pragma once

#include <cstddef>
#include <string>

#include "sw/answer/readers/foreign_profile.h"
#include "sw/answer/run_profile.h"

namespace strobe::answer {

/// The sum over all names of the smaller of the two shares, 0 to 1: 1 for equal shares. It is the
/// accuracy of docs/metrics.md, with names instead of tuples.
double overlap(const Counts& a, const Counts& b);

/// A series of the run in the form of a profile of that file, which it takes when it is exported.
/// Throws AnswerError where the format cannot hold the series.
ForeignProfile as_foreign(const RunProfile& run, const Series& series, bool pprof);

/// Prints the overlap by function and by line of a file's profile with a series of the run, and the
/// `most` functions whose shares differ most.
void print_overlap(const std::string& file, const ForeignProfile& profile, const RunProfile& run,
                   const Series& series, size_t most);

}  // namespace strobe::answer
