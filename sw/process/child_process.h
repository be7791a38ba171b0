// Work in a process of its own.
#pragma once

#include <functional>
#include <string>

namespace strobe {

/// Runs `work` in a process of its own and waits for it: SystemC elaborates once a process. Throws
/// std::runtime_error with `what` when it fails; its own reason is on stderr.
void in_child(const std::string& what, const std::function<void()>& work);

}  // namespace strobe
