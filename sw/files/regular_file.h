// Files that are named in a configuration or on the command line: only regular files are read. A
// pipe would wait until another process writes, and a device may never end.
#pragma once

#include <cstdint>
#include <string>

#include "sw/text/limits.h"

namespace strobe::files {

/// Why the file cannot be read: "No such file or directory", "it is a directory", "it is a pipe",
/// "it is a device", "it is a socket"; empty when it is a regular file that can be read.
std::string why_unreadable(const std::string& path);

/// Reads the file whole. @return false with `why`, which is that of why_unreadable() or says that
/// there are more than `most` bytes
bool read_whole(const std::string& path, uint64_t most, std::string* text, std::string* why);
/// The same for an input that has a limit of bytes.
bool read_whole(const std::string& path, const text::Limit& limit, std::string* text,
                std::string* why);

}  // namespace strobe::files
