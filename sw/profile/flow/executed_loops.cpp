#include "sw/profile/flow/executed_loops.h"

#include <algorithm>

#include "sw/profile/flow/loop_nest.h"

namespace strobe::profile {
namespace {

/// The instructions of one function as a graph. Its block 0 stands for the callers; block i + 1 is
/// instruction i.
class FunctionLoops {
 public:
  /// Keeps references; the function's instructions are [begin, end).
  FunctionLoops(const std::vector<ExecutedInsn>& instructions,
                const std::vector<ExecutedJump>& jumps, size_t begin, size_t end)
      : instructions_(instructions), jumps_(jumps), begin_(begin), end_(end) {}

  /// Fills in the loops of the function's instructions. @param entry  its first address
  void find(uint64_t entry, std::vector<uint64_t>* loops) {
    const std::vector<std::vector<uint32_t>> ways = this->ways(entry);
    Chain chain;
    chain.first = {0};
    for (const std::vector<uint32_t>& to : ways) {
      chain.to.insert(chain.to.end(), to.begin(), to.end());
      chain.first.push_back(static_cast<uint32_t>(chain.to.size()));
    }
    chain.ends.assign(ways.size(), 0.0);
    const LoopNest nest = find_loops(chain);
    for (size_t i = begin_; i < end_; ++i) {
      const uint32_t loop = nest.loop_of[i - begin_ + 1];
      if (loop == 0 || loop == kOutside) continue;
      (*loops)[i] = instructions_[begin_ + nest.loops[loop].headers.front() - 1].pc;
    }
  }

 private:
  /// The block of an address; kOutside if the function executed no such instruction.
  uint32_t block_at(uint64_t pc) const {
    const auto first = instructions_.begin() + static_cast<std::ptrdiff_t>(begin_);
    const auto last = instructions_.begin() + static_cast<std::ptrdiff_t>(end_);
    const auto found = std::lower_bound(
        first, last, pc,
        [](const ExecutedInsn& insn, uint64_t address) { return insn.pc < address; });
    if (found == last || found->pc != pc) return kOutside;
    return static_cast<uint32_t>(found - first) + 1;
  }

  /// Where control goes from each block, from the callers too.
  std::vector<std::vector<uint32_t>> ways(uint64_t entry) const {
    std::vector<std::vector<uint32_t>> ways(end_ - begin_ + 1);
    for (size_t i = begin_; i < end_; ++i) {
      const ExecutedInsn& insn = instructions_[i];
      std::vector<uint32_t>& to = ways[i - begin_ + 1];
      const auto add = [&](uint64_t pc) {
        if (const uint32_t block = block_at(pc); block != kOutside) to.push_back(block);
      };
      if (insn.falls != 0) add(insn.pc + insn.falls);
      auto jump = std::lower_bound(jumps_.begin(), jumps_.end(), ExecutedJump{insn.pc, 0});
      for (; jump != jumps_.end() && jump->from == insn.pc; ++jump) add(jump->to);
    }
    enter(block_at(entry), &ways);
    return ways;
  }

  /// Control enters at the function's entry, at what no other instruction leads to, and where the
  /// region of interest began, which may be within a loop.
  static void enter(uint32_t entry, std::vector<std::vector<uint32_t>>* ways) {
    std::vector<bool> led_to(ways->size()), reached(ways->size());
    for (const std::vector<uint32_t>& to : *ways) {
      for (const uint32_t block : to) led_to[block] = true;
    }
    const auto enter_at = [&](uint32_t block) {
      if (reached[block]) return;
      ways->front().push_back(block);
      std::vector<uint32_t> open = {block};
      reached[block] = true;
      while (!open.empty()) {
        const uint32_t from = open.back();
        open.pop_back();
        for (const uint32_t to : (*ways)[from]) {
          if (!reached[to]) open.push_back(to);
          reached[to] = true;
        }
      }
    };
    if (entry != kOutside) enter_at(entry);
    for (uint32_t block = 1; block < ways->size(); ++block) {
      if (!led_to[block]) enter_at(block);
    }
    for (uint32_t block = 1; block < ways->size(); ++block) enter_at(block);
  }

  const std::vector<ExecutedInsn>& instructions_;
  const std::vector<ExecutedJump>& jumps_;
  const size_t begin_, end_;
};

}  // namespace

std::vector<uint64_t> innermost_loops(const std::vector<ExecutedInsn>& instructions,
                                      const std::vector<ExecutedJump>& jumps,
                                      const FunctionOf& function_of) {
  std::vector<uint64_t> loops(instructions.size(), kNoLoop);
  for (size_t begin = 0, end = 0; begin < instructions.size(); begin = end) {
    const uint64_t function = function_of(instructions[begin].pc);
    while (end < instructions.size() && function_of(instructions[end].pc) == function) ++end;
    FunctionLoops(instructions, jumps, begin, end).find(function, &loops);
  }
  return loops;
}

}  // namespace strobe::profile
