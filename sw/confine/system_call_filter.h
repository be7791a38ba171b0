// seccomp: the host system calls that a process may make.
#pragma once

#include "sw/confine/confine.h"

namespace strobe::confine {

/// Refuses, in all threads, every system call other than those that a run makes after its start. A
/// refused call ends the process (violation.h). Sets `system_calls`, or adds to `missing`.
void filter_system_calls(const Grants& grants, Confinement& confinement);

}  // namespace strobe::confine
