// What a process and all that it started hold of the host's memory.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace strobe::explore {

/// The resident bytes of a process and its descendants. Address space is reserved generously, so
/// only resident memory counts; a page that several of them share counts once for each.
uint64_t resident_bytes(pid_t process);

}  // namespace strobe::explore
