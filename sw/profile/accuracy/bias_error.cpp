#include "sw/profile/accuracy/bias_error.h"

#include <algorithm>
#include <cmath>

#include "sw/profile/accuracy/ratio.h"

namespace strobe::profile {
namespace {

/// The entries of one branch, [first, last).
struct BranchEntries {
  Entries::const_iterator first, last;
  uint64_t executions = 0;
};

/// From `first` on: the entries with the tag and pc of the first one.
BranchEntries branch_from(Entries::const_iterator first, Entries::const_iterator end) {
  BranchEntries branch{first, first};
  while (branch.last != end && branch.last->first.tag == first->first.tag &&
         branch.last->first.pc == first->first.pc) {
    branch.executions += branch.last->second;
    ++branch.last;
  }
  return branch;
}

double difference(const BranchEntries& a, const BranchEntries& b) {
  double sum = 0;
  auto at_a = a.first, at_b = b.first;
  while (at_a != a.last || at_b != b.last) {
    const bool from_a =
        at_b == b.last || (at_a != a.last && at_a->first.value <= at_b->first.value);
    const bool from_b =
        at_a == a.last || (at_b != b.last && at_b->first.value <= at_a->first.value);
    sum += std::abs((from_a ? ratio(at_a->second, a.executions) : 0) -
                    (from_b ? ratio(at_b->second, b.executions) : 0));
    if (from_a) ++at_a;
    if (from_b) ++at_b;
  }
  return sum / 2;
}

}  // namespace

BiasError bias_error(const Profile& ideal, const Profile& profile) {
  BiasError result;
  double weighted = 0;
  const auto end = ideal.entries().end(), profile_end = profile.entries().end();
  for (auto at = ideal.entries().begin(); at != end;) {
    const BranchEntries branch = branch_from(at, end);
    const Tuple lowest{at->first.pc, 0, at->first.tag};
    const auto other = std::lower_bound(
        profile.entries().begin(), profile_end, lowest,
        [](const auto& entry, const Tuple& key) { return tuple_before(entry.first, key); });
    at = branch.last;
    if (other == profile_end || other->first.tag != lowest.tag || other->first.pc != lowest.pc) {
      ++result.unseen_branches;
      result.unseen_executions += branch.executions;
      continue;
    }
    const double error = difference(branch, branch_from(other, profile_end));
    result.branches.push_back({lowest.pc, lowest.tag, branch.executions, error});
    result.executions += branch.executions;
    weighted += error * static_cast<double>(branch.executions);
  }
  if (result.executions > 0) result.error = weighted / static_cast<double>(result.executions);
  return result;
}

}  // namespace strobe::profile
