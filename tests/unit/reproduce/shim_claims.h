// What the tests of SHIM's results look at.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce::shim {

inline const Claim& claim_with(const Reproduction& reproduction, const std::string& text) {
  const auto found = std::find_if(
      reproduction.claims.begin(), reproduction.claims.end(),
      [&](const Claim& claim) { return claim.statement.find(text) != std::string::npos; });
  if (found == reproduction.claims.end()) throw std::runtime_error("no claim with " + text);
  return *found;
}

inline bool differs(const Claim& claim) { return !claim.holds && !claim.undecided; }

inline void expect_rows_fit(const Reproduction& reproduction) {
  for (const Table& one : reproduction.tables) {
    for (const auto& row : one.rows) EXPECT_EQ(row.size(), one.header.size()) << one.title;
  }
}

}  // namespace strobe::reproduce::shim
