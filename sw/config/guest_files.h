// Where the built guest programs are: the firmware and the workloads.
#pragma once

#include <string>

namespace strobe::config {

/// $STROBE_GUEST_DIR or, without it, ../guest of the running executable's directory.
std::string guest_directory();

/// A file below it: "firmware.elf", "workloads/lz.elf". It need not exist.
std::string guest_file(const std::string& name);

}  // namespace strobe::config
