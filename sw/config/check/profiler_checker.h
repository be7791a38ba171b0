// Whether the keys of the profilers fit together, and the profilers beside each other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sw/config/check/checker.h"

namespace strobe::config {

class ProfilerChecker : private Checker {
 public:
  using Checker::Checker;
  void check();
  /// Those that concern neither another profiler nor the rest of the run.
  void check_each_alone();
  /// That those of a replay only watch, and select what was `recorded`.
  void check_replay(const std::vector<SelectorConfig>& recorded);

 private:
  void check_alone(size_t i);
  void check_in_run(size_t i);
  /// Keys that do not apply have their defaults, which fit.
  void check_compressor(const std::string& path, const ProfilerConfig& p);
  void check_ring(const std::string& path, const CommunicationConfig& p);
  void check_selector(const std::string& path, const std::vector<SelectorConfig>& all, size_t k);
  void check_threads(const std::string& path, const ProfilerConfig& p);
  void check_names();
  void check_active();
};

}  // namespace strobe::config
