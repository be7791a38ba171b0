// Several functions, each in a process of its own, some of them at once.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace strobe {

/// Runs every function of `work` in a process of its own, at most `at_once` at a time, in their
/// order. A failure of one does not end the others. @return for each, why it failed; empty: it did
/// not. Throws std::runtime_error when no process can be started. The caller has no other children.
/// @param ended  called after each one with how many have ended
std::vector<std::string> in_children(
    const std::vector<std::function<void()>>& work, unsigned at_once,
    const std::function<void(size_t)>& ended = [](size_t) {});

}  // namespace strobe
