// Finds a claim or a check of a reproduction by words of its statement.
#pragma once

#include <stdexcept>
#include <string>

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce::look_up {

/// The claim whose statement has `words`.
inline const Claim& claim_of(const Reproduction& reproduction, const std::string& words) {
  for (const Claim& claim : reproduction.claims) {
    if (claim.statement.find(words) != std::string::npos) return claim;
  }
  throw std::runtime_error("no claim says: " + words);
}

inline const Check& check_of(const Reproduction& reproduction, const std::string& words) {
  for (const Check& check : reproduction.checks) {
    if (check.statement.find(words) != std::string::npos) return check;
  }
  throw std::runtime_error("no check says: " + words);
}

inline bool differs(const Claim& claim) { return !claim.holds && !claim.undecided; }

}  // namespace strobe::reproduce::look_up
