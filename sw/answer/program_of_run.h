// Finds the program of a result, which names it without its directory.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sw/answer/run_profile.h"

namespace strobe::answer {

/// Looks for the bytes that the manifest names: at `given` or, if that is empty, where config.yaml
/// points from the result directory, where the run file and the --set of the run's command point
/// now, in the result directory, and in the current directory.
/// Throws AnswerError when `given` is not that program, and for an ELF file that cannot be read.
Program program_of_run(const std::filesystem::path& directory, const nlohmann::json& manifest,
                       const std::string& given);

}  // namespace strobe::answer
