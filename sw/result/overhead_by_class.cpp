#include "sw/result/overhead_by_class.h"

#include <set>

namespace strobe::result {
namespace {

uint64_t cycles_of(const CpiStack& stack, const std::string& name) {
  const auto found = stack.find(name);
  return found == stack.end() ? 0 : found->second;
}

}  // namespace

CpiStack cpi_stack(const platform::Counters& counters) {
  const std::string prefix = counters.count("core.cpi.base") != 0 ? "core.cpi." : "core0.cpi.";
  CpiStack stack;
  for (auto at = counters.lower_bound(prefix);
       at != counters.end() && at->first.compare(0, prefix.size(), prefix) == 0; ++at) {
    stack[at->first.substr(prefix.size())] = at->second;
  }
  return stack;
}

nlohmann::json overhead_by_class(const CpiStack& run, const CpiStack& baseline) {
  if (run.empty() || baseline.empty()) return nullptr;
  std::set<std::string> names;
  uint64_t all = 0;
  for (const auto& [name, cycles] : run) names.insert(name);
  for (const auto& [name, cycles] : baseline) {
    names.insert(name);
    all += cycles;
  }
  nlohmann::json out;
  for (const std::string& name : names) {
    const auto more = static_cast<int64_t>(cycles_of(run, name)) -
                      static_cast<int64_t>(cycles_of(baseline, name));
    out[name] = {{"cycles", more}, {"share", static_cast<double>(more) / static_cast<double>(all)}};
  }
  return out;
}

}  // namespace strobe::result
