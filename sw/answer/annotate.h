// A function's source and instructions with what the profilers of a run found there.
#pragma once

#include <string>

#include "sw/answer/run_profile.h"

namespace strobe::answer {

/// Prints each instruction with its share of the events of `main` and its count, its cycles where
/// the run has the truth, where its edges and calls go, and the value that it loads most often.
/// Edges, calls and values are those of `main`'s source or, where it has none, of the first source
/// that has. Each source line stands above its instructions, with its text where the file is there.
/// @param function  its name; empty: the one with the largest part of `main`
/// Throws AnswerError when the program is not found or has no such function.
void print_annotated(const RunProfile& run, const Series& main, const std::string& function);

}  // namespace strobe::answer
