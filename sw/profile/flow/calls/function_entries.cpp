#include "sw/profile/flow/calls/function_entries.h"

#include <algorithm>
#include <utility>

#include "sw/profile/flow/calls/recursion.h"
#include "sw/profile/flow/chain.h"
#include "sw/profile/flow/loop_nest.h"

namespace strobe::profile {
namespace {

/// One per cent more or fewer calls make 178 or 39 levels of 64.
constexpr double kMostCertainLevels = 64;

/// The call graph as a chain, for its order and its loops. State 0 stands for what calls the root.
Chain call_chain(const Calls& calls, uint32_t root) {
  Chain chain;
  chain.first = {0, 1};
  chain.to = {root + 1};
  for (const auto& callees : calls) {
    for (const auto& [callee, times] : callees) {
      if (times > 0) chain.to.push_back(callee + 1);
    }
    chain.first.push_back(static_cast<uint32_t>(chain.to.size()));
  }
  chain.ends.resize(calls.size() + 1);
  return chain;
}

/// All functions of a loop of the call graph, rising.
std::vector<uint32_t> members(const LoopNest& nest, uint32_t loop) {
  std::vector<uint32_t> functions, open = {loop};
  while (!open.empty()) {
    const uint32_t each = open.back();
    open.pop_back();
    for (const LoopPart& part : nest.loops[each].body) {
      if (part.is_loop) {
        open.push_back(part.index);
      } else {
        functions.push_back(part.index - 1);
      }
    }
  }
  std::sort(functions.begin(), functions.end());
  return functions;
}

/// Walks the call graph from the root. Callers come before callees, so that the entries of a
/// function are known when its calls are.
class Walk {
 public:
  Walk(const ControlFlow& flow, const Calls& calls, const std::vector<double>& counted,
       const MarkovOptions& options, std::vector<uint32_t>* limited)
      : flow_(flow),
        calls_(calls),
        counted_(counted),
        options_(options),
        limited_(limited),
        entries_(calls.size()),
        settled_(calls.size()) {}

  std::vector<double> from(uint32_t root) {
    entries_[root] = 1;
    const LoopNest nest = find_loops(call_chain(calls_, root));
    for (const LoopPart& part : nest.loops[0].body) {
      if (part.is_loop) {
        enter_recursion(members(nest, part.index));
      } else if (part.index > 0) {
        pass_on(part.index - 1, {});
      }
    }
    return std::move(entries_);
  }

 private:
  /// Enters the callees of a function, without those in `except`, which is sorted.
  void pass_on(uint32_t caller, const std::vector<uint32_t>& except) {
    for (const auto& [callee, times] : calls_[caller]) {
      if (settled_[callee] || std::binary_search(except.begin(), except.end(), callee)) continue;
      entries_[callee] += entries_[caller] * times;
    }
  }

  /// Enters functions that call one another. In a deep recursion the entries of those that were
  /// counted are what was counted, and the others are entered by them.
  void enter_recursion(std::vector<uint32_t> functions) {
    const bool any = std::any_of(functions.begin(), functions.end(),
                                 [this](uint32_t function) { return counted_[function] >= 0; });
    if (any && solve(functions, kMostCertainLevels).limited) settle(&functions);
    if (functions.empty()) return;
    const Recursion recursion = solve(functions, options_.loop_limit);
    if (recursion.limited && options_.loop_limit == kNoLoopLimit) {
      throw FlowError(flow_.functions[functions[0]].name +
                      ": the biases say that its recursion has no end; set a limit of "
                      "iterations");
    }
    if (recursion.limited) {
      limited_->insert(limited_->end(), functions.begin(), functions.end());
    }
    for (size_t i = 0; i < functions.size(); ++i) entries_[functions[i]] = recursion.entries[i];
    for (const uint32_t function : functions) pass_on(function, functions);
  }

  /// Takes those functions out that were counted, and passes on their entries.
  void settle(std::vector<uint32_t>* functions) {
    const auto rest =
        std::stable_partition(functions->begin(), functions->end(),
                              [this](uint32_t function) { return counted_[function] < 0; });
    const std::vector<uint32_t> counted(rest, functions->end());
    functions->erase(rest, functions->end());
    for (const uint32_t function : counted) {
      entries_[function] = counted_[function];
      settled_[function] = true;
    }
    for (const uint32_t function : counted) pass_on(function, {});
  }

  /// @param most  levels of calls; kNoLoopLimit: any number
  Recursion solve(const std::vector<uint32_t>& functions, double most) const {
    const size_t size = functions.size();
    if (size > kMostRecursive) {
      throw FlowError(flow_.functions[functions[0]].name + ": it and " + std::to_string(size - 1) +
                      " other functions call one another; expected at most " +
                      std::to_string(kMostRecursive) + " together");
    }
    std::vector<double> entering, within(size * size);
    for (size_t i = 0; i < size; ++i) {
      entering.push_back(entries_[functions[i]]);
      for (const auto& [callee, times] : calls_[functions[i]]) {
        const auto at = std::lower_bound(functions.begin(), functions.end(), callee);
        if (at == functions.end() || *at != callee) continue;
        within[i * size + static_cast<size_t>(at - functions.begin())] = times;
      }
    }
    return solve_recursion(std::move(within), std::move(entering), most);
  }

  const ControlFlow& flow_;
  const Calls& calls_;
  const std::vector<double>& counted_;
  const MarkovOptions& options_;
  std::vector<uint32_t>* limited_;
  std::vector<double> entries_;
  std::vector<bool> settled_;  // by function: its entries are those that were counted
};

}  // namespace

std::vector<double> function_entries(const ControlFlow& flow, const Calls& calls,
                                     const std::vector<double>& counted, uint32_t root,
                                     const MarkovOptions& options, std::vector<uint32_t>* limited) {
  return Walk(flow, calls, counted, options, limited).from(root);
}

}  // namespace strobe::profile
