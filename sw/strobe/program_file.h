// Programs that commands write.
#pragma once

#include <filesystem>
#include <string>

namespace strobe {

/// Writes a file that is either whole or not there. Throws std::runtime_error.
void put_in_place(const std::filesystem::path& file, const std::string& text, bool executable);

}  // namespace strobe
