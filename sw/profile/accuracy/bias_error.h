// How wrong the biases of branches are, compared with the exhaustive profile of the same run.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/profile/counts/profile.h"

namespace strobe::profile {

struct BranchError {
  uint64_t pc = 0;
  uint8_t tag = 0;
  uint64_t executions = 0;  // in the exhaustive profile
  /// Half the sum, over where the branch went, of the differences of its shares: 0 to 1. For a
  /// branch with two ways it is the difference of the probability to be taken.
  double error = 0;
};

struct BiasError {
  double error = 0;                   // the mean over `branches`, weighted by executions
  std::vector<BranchError> branches;  // in both profiles; by tag and pc
  uint64_t executions = 0;            // of these branches, in the exhaustive profile
  /// Branches of the exhaustive profile that the other one does not have, and their executions.
  /// They have no bias, so they are not in the mean.
  uint64_t unseen_branches = 0, unseen_executions = 0;
};

/// Compares two profiles of tuples {tag, pc of the branch, address where control arrived}. Branches
/// are told apart by tag and pc. The scale of a branch does not matter, only its shares.
BiasError bias_error(const Profile& ideal, const Profile& profile);

}  // namespace strobe::profile
