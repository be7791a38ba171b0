// Waveform files, read back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace strobe::e2e {

/// The ports of the top scope: each one's changes, (picosecond, value in binary without leading
/// zeros) in order.
using Waveform = std::map<std::string, std::vector<std::pair<uint64_t, std::string>>>;

Waveform read_vcd(const std::filesystem::path& file);
/// By GTKWave's reader. Throws std::runtime_error when it refuses the file.
Waveform read_fst(const std::filesystem::path& file);

}  // namespace strobe::e2e
