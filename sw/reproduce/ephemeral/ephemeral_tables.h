// strobe reproduce ephemeral-table2 to ephemeral-table6.
#pragma once

#include <cstddef>
#include <filesystem>

#include "sw/reproduce/reproduction.h"

namespace strobe {

/// Results of runs are kept in `folder`, one file a program; the tables share them. Throws
/// std::runtime_error when a run fails. @param number  2 to 6
reproduce::Reproduction ephemeral_table(const std::filesystem::path& folder, size_t number);

}  // namespace strobe
