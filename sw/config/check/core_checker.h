// Whether the keys of a core and of its memory fit together.
#pragma once

#include <string>

#include "sw/config/check/checker.h"

namespace strobe::config {

class CoreChecker : private Checker {
 public:
  using Checker::Checker;
  /// @param at  the path of its keys
  void check(const std::string& at, const core::CoreParams& p);
  /// One beside `core`, with which it shares memory and clock, if it is given.
  void check_second(const std::string& at, const core::CoreParams& p);

 private:
  /// @param lines  the cache whose lines are of `line` bytes
  void check_cache(const std::string& path, const memory::CacheParams& p, const std::string& lines,
                   unsigned line);
  /// Half of a buffer is at least one entry.
  void check_halves(const std::string& at, const core::CoreParams& p);
  /// Nanoseconds in cycles of its clock.
  void check_dram(const std::string& at, const core::CoreParams& p);
  /// One instruction that waits for long is no deadlock.
  void check_watchdog(const std::string& at, const core::CoreParams& p);
};

}  // namespace strobe::config
