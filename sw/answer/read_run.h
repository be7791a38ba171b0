// Reads the result directory of a run into the form that all answers are made from.
#pragma once

#include <filesystem>
#include <string>

#include "sw/answer/run_profile.h"

namespace strobe::answer {

/// Reads every profile of the directory: of its profilers, handlers and instrumentation, their
/// exhaustive profiles where the run has written them (exhaustive_profiles), and the cycles of
/// truth.csv. An instrumented program's truth.csv is left out, because its addresses are those of
/// the edited program.
/// @param program  the ELF file; empty: it is looked for
/// Throws AnswerError when it is not a result directory, and when it is damaged or of another
/// version.
RunProfile read_run(const std::filesystem::path& directory, const std::string& program);

}  // namespace strobe::answer
