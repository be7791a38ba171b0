// The place where a program's words go out to a terminal or a log.
#pragma once

namespace strobe::text {

/// From here on, everything that this process prints to `stdout` and `stderr` appears as shown()
/// gives it, so that a name or a message of a guest program cannot steer the terminal. Call it
/// once, before anything is printed. Throws std::bad_alloc.
void escape_what_is_printed();

}  // namespace strobe::text
