// Where guest programs are: those built with the project, and those fetched.
#pragma once

#include <optional>
#include <string>

namespace strobe::files {

/// $STROBE_GUEST_DIR or, without it, ../guest of the running executable's directory.
std::string guest_directory();

/// A file below it: "firmware.elf", "workloads/lz.elf". It need not exist.
std::string guest_file(const std::string& name);

/// Where scripts/fetch-workloads puts programs: $STROBE_WORKLOADS or, without it,
/// strobe/workloads below $XDG_CACHE_HOME or ~/.cache.
std::string fetched_directory();

/// Host path of "build:x" (x below guest_directory()) and "cache:x" (x below fetched_directory());
/// nothing for any other text.
std::optional<std::string> prefixed_path(const std::string& written);

}  // namespace strobe::files
