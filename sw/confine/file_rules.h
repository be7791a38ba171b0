// Landlock: the paths that a process may open.
#pragma once

#include <string>
#include <vector>

#include "sw/confine/confine.h"

namespace strobe::confine {

/// Bounds the paths of this thread and of the threads it starts. Sets `landlock`, or adds to
/// `missing`. The process must have given up new privileges (PR_SET_NO_NEW_PRIVS).
void bound_paths(const std::vector<PathGrant>& grants, Confinement& confinement);

}  // namespace strobe::confine
