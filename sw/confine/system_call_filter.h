// seccomp: the host system calls that a process may make.
#pragma once

#include "sw/confine/confine.h"

namespace strobe::confine {

/// Refuses every system call but those a run makes after its start, in all threads: the process
/// ends, see violation.h. Fills in `system_calls`, or `missing`.
void filter_system_calls(const Grants& grants, Confinement& confinement);

}  // namespace strobe::confine
