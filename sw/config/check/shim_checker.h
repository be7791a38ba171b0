// Whether the keys of an observer thread fit together and to the run.
#pragma once

#include "sw/config/check/checker.h"

namespace strobe::config {

class ShimChecker : private Checker {
 public:
  using Checker::Checker;
  void check();

 private:
  void check_counters(const RunConfig& run);
};

}  // namespace strobe::config
