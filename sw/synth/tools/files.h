// Files, hashes, folders and tools of the synthesis flow.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sw/files/own_files.h"
#include "sw/files/scratch_folder.h"
#include "sw/files/sha256.h"
#include "sw/text/limits.h"

namespace strobe::synth {

/// A file's bytes. Throws std::runtime_error that names the file and why it cannot be read, which
/// may be that there are more than a GiB, or more than the limit.
std::string read_file(const std::filesystem::path& file);
std::string read_file(const std::filesystem::path& file, const text::Limit& limit);
/// Writes a file. Throws std::runtime_error when it cannot be written.
void write_file(const std::filesystem::path& file, const std::string& text);

using files::ScratchFolder;
using files::sha256_of_text;
using files::source_directory;

/// The folder where results are kept: $STROBE_CACHE/synth or ~/.cache/strobe/synth. Throws
/// std::runtime_error when neither STROBE_CACHE nor HOME is set.
std::filesystem::path cache_directory();

/// Throws std::invalid_argument when a path has a character that a script of Yosys or OpenSTA would
/// not take as part of a name. Paths become parts of such scripts, and OpenSTA's scripts run
/// commands. @param what  what the path names, such as "the library"
void require_plain_path(const char* what, const std::filesystem::path& path);

/// Throws std::runtime_error that names the Debian package of the first tool that is not in PATH.
/// The known tools are yosys, berkeley-abc, sta, nextpnr-ice40, icetime and icepack.
void require_tools(const std::vector<std::string>& programs);

/// Runs a tool to its end in source_directory() and returns what it printed. Throws
/// std::runtime_error with the last lines of the output when the exit code is not 0, or when a line
/// begins with "Error:" (OpenSTA exits with 0 then).
std::string run(const std::string& what, const std::vector<std::string>& command);

/// The tools and their versions, for results: yosys, opensta, nextpnr-ice40, fpga-icestorm.
std::vector<std::pair<std::string, std::string>> tool_versions();

}  // namespace strobe::synth
