// strobe reproduce ephemeral-programs, ephemeral-table2 to ephemeral-table6, ephemeral-epochs,
// ephemeral-aliasing and ephemeral-profilers.
#pragma once

#include <cstddef>
#include <filesystem>

#include "sw/reproduce/reproduction.h"

namespace strobe {

/// Results of runs are kept in `folder`, one file a program; all of these share them. A program
/// with a run that fails is named in `failed` and is in no number. Throw std::runtime_error when
/// every program fails.
reproduce::Reproduction ephemeral_programs(const std::filesystem::path& folder);
/// @param number  2 to 6
reproduce::Reproduction ephemeral_table(const std::filesystem::path& folder, size_t number);
reproduce::Reproduction ephemeral_epochs(const std::filesystem::path& folder);
reproduce::Reproduction ephemeral_profilers(const std::filesystem::path& folder);
/// Throws std::runtime_error when a run fails.
reproduce::Reproduction ephemeral_aliasing(const std::filesystem::path& folder);

}  // namespace strobe
