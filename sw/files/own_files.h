// Where the files are that come with Strobe. A build knows its source tree; an installation may be
// moved as a whole, and knows its files by their place beside the program:
//
//   PREFIX/bin/strobe -> ../lib/strobe/bin/strobe
//   PREFIX/lib/strobe/{bin,guest,rtl}     programs, firmware and workloads, Verilated RTL
//   PREFIX/share/strobe/{configs,rtl,...} what the source tree has, by the same paths
#pragma once

#include <filesystem>

namespace strobe::files {

/// The folder with bin/, guest/ and rtl/: the build folder, or lib/strobe of an installation.
/// Throws std::filesystem::filesystem_error when /proc cannot be read.
std::filesystem::path built_directory();

/// The folder with configs/ and rtl/: the source tree, or share/strobe of an installation.
std::filesystem::path source_directory();

/// The same for a program in `built`/bin.
std::filesystem::path source_directory_of(const std::filesystem::path& built);

}  // namespace strobe::files
