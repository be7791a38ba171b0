// A regular file whole in memory, and what identifies its bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::isa {

/// Reads a regular file of at most 1 GiB; a pipe or a device is not waited for.
/// @return what is wrong; empty when `bytes` is the file
std::string read_regular(const std::string& path, std::vector<uint8_t>* bytes);

/// SHA-256 in hexadecimal. Throws std::runtime_error when libcrypto has none.
std::string sha256_of(const std::vector<uint8_t>& bytes);

}  // namespace strobe::isa
