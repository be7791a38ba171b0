// Estimates of mode sampled beside what mode timing measures.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace strobe::e2e {

/// Whether the interval of `key` holds the value of the full run and is narrower than `tightest`.
inline void expect_within(const nlohmann::json& sampled, const char* half_width,
                          const nlohmann::json& full, const char* key, double tightest) {
  const double width = sampled.at("sampling").at(half_width).get<double>();
  const double truth = full.at(key).get<double>();
  EXPECT_NEAR(sampled.at(key).get<double>(), truth, width) << key;
  EXPECT_GT(width, 0) << key;
  EXPECT_LT(width, tightest) << key << ": an interval that says something";
}

}  // namespace strobe::e2e
