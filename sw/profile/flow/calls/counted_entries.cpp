#include "sw/profile/flow/calls/counted_entries.h"

#include <algorithm>

namespace strobe::profile {
namespace {

constexpr double kNotKnown = -1;

double executions_of(uint64_t pc, const SeenWays& seen) {
  const auto [first, last] = seen.of(pc);
  double sum = 0;
  for (const SeenWays::Way* way = first; way != last; ++way) sum += static_cast<double>(way->count);
  return sum;
}

}  // namespace

std::vector<double> counted_entries(const ControlFlow& flow, const SeenWays& seen,
                                    const std::vector<uint64_t>& complete,
                                    const std::vector<EdgeProfile>& functions) {
  std::vector<double> entries;
  for (size_t f = 0; f < flow.functions.size(); ++f) {
    const FlowFunction& function = flow.functions[f];
    double executions = 0, frequency = 0;
    for (size_t b = 0; b < function.blocks.size(); ++b) {
      const uint64_t pc = function.blocks[b].last;
      if (!std::binary_search(complete.begin(), complete.end(), pc)) continue;
      executions += executions_of(pc, seen);
      frequency += functions[f].blocks[b];
    }
    entries.push_back(executions > 0 && frequency > 0 ? executions / frequency : kNotKnown);
  }
  return entries;
}

}  // namespace strobe::profile
