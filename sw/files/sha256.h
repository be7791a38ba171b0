// SHA-256, in hexadecimal.
#pragma once

#include <filesystem>
#include <string>

namespace strobe::files {

std::string sha256(const std::string& text);
/// Throws std::runtime_error that names the file when it cannot be read.
std::string sha256_of(const std::filesystem::path& file);

}  // namespace strobe::files
