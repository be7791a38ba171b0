// Runs work in a child that has confined itself, and reports how the child ended.
#pragma once

#include <functional>
#include <string>

#include "sw/confine/confine.h"

namespace strobe::security {

struct Ending {
  int exit_code = -1;  // when no signal ended the child
  int signal = 0;
  std::string err;  // its stderr
};

/// Runs `work` in a child after confine::confine(grants). The exit code is what `work`
/// returns, or kNotConfined when something of the confinement is missing.
Ending in_confined_child(const confine::Grants& grants, const std::function<int()>& work);

/// The same without the confinement.
Ending in_child(const std::function<int()>& work);

constexpr int kNotConfined = 99;

}  // namespace strobe::security
