// Programs that commands write.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sw/object/analysis/code.h"

namespace strobe {

/// Writes a file that is either whole or not there. Throws std::runtime_error.
void put_in_place(const std::filesystem::path& file, const std::string& text, bool executable);

/// A line for each place of a program that was not edited, and why.
std::string left_alone_lines(const std::vector<object::LeftAlone>& places);

}  // namespace strobe
