// What the observer thread of SHIM found, and how far from the truth it was: the key `shim` of
// result.json, and the shim.* files. docs/shim.md
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sw/profile/rates/rate_samples.h"
#include "sw/result/handler_report.h"

namespace strobe::result {

class ShimReport {
 public:
  /// Keeps references. @param cycles  the region's
  ShimReport(const config::RunConfig& configuration, const platform::ShimOutcome& outcome,
             uint64_t cycles);

  nlohmann::json json() const;
  std::vector<NamedText> files() const;

  /// Whether the period that was asked for is less than a sample takes, and the sentence that says
  /// so.
  bool too_short() const;
  std::string too_short_text() const;

 private:
  double mean_period() const;
  nlohmann::json rates_json() const;
  nlohmann::json truth_json() const;
  nlohmann::json tags_json() const;
  std::string rates_file() const;
  std::string tags_file() const;
  std::string samples_file() const;
  uint64_t total_tagged() const;

  const config::ShimConfig& shim_;
  const platform::ShimOutcome& outcome_;
  const uint64_t cycles_;
  const unsigned width_;
  std::vector<profile::RateSample> samples_;  // with a buffer and counters
  std::map<uint64_t, platform::ObservedSum> tags_;
};

}  // namespace strobe::result
