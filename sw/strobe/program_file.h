// Programs that commands write.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/files/whole_file.h"
#include "sw/object/analysis/code.h"

namespace strobe {

/// The bytes of a program, to be written. They must outlive it.
files::Content program_content(const std::string& file, const std::vector<uint8_t>& elf);

/// A line for each place of a program that was not edited, and why.
std::string left_alone_lines(const std::vector<object::LeftAlone>& places);

}  // namespace strobe
