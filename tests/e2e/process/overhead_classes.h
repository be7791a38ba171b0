// What must hold of the measured overhead of every run that has one.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>

namespace strobe::e2e {

/// The classes of the overhead add up to all of it, to the cycle.
inline void expect_classes_add_up(const nlohmann::json& result) {
  ASSERT_TRUE(result.at("overhead_by_class").is_object());
  int64_t cycles = 0;
  double share = 0;
  for (const nlohmann::json& one : result.at("overhead_by_class")) {
    cycles += one.at("cycles").get<int64_t>();
    share += one.at("share").get<double>();
  }
  EXPECT_EQ(cycles,
            result.at("cycles").get<int64_t>() - result.at("baseline_cycles").get<int64_t>());
  EXPECT_NEAR(share, result.at("overhead_measured").get<double>(), 1e-12);
}

}  // namespace strobe::e2e
