#include "sw/object/analysis/flow_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sc_models/isa/decode/op.h"

namespace strobe::object {
FlowGraph::FlowGraph(const Code& code, const Function& function, const References& references) {
  split(code, function, references);
  connect(code, function, references);
  find_dominators();
  find_loops();
}

uint32_t FlowGraph::block_of(uint32_t instruction) const {
  const auto next =
      std::upper_bound(blocks_.begin(), blocks_.end(), instruction,
                       [](uint32_t at, const Block& block) { return at < block.first; });
  return static_cast<uint32_t>(next - blocks_.begin()) - 1;
}

void FlowGraph::split(const Code& code, const Function& function, const References& references) {
  const std::vector<Instruction>& instructions = code.instructions();
  const auto begin = static_cast<uint32_t>(code.at(function.start));
  uint32_t end = begin;
  while (end < instructions.size() && instructions[end].offset < function.end) ++end;
  std::set<uint32_t> leaders = {begin};
  const auto lead = [&](uint32_t offset, const char* what) {
    if (offset < function.start || offset >= function.end) return;
    if (code.is_boundary(offset)) {
      leaders.insert(static_cast<uint32_t>(code.at(offset)));
    } else {
      obstacle_ = fmt::format(
          "{} leads into the middle of an instruction, {} bytes from its beginning; leave it out",
          what, offset - function.start);
    }
  };
  for (const auto& [lists, what] : {std::pair(&references.tables, "an address in data"),
                                    {&references.taken, "an address"},
                                    {&references.entered, "a branch of another function"},
                                    {&references.landing_pads, "an exception table"}}) {
    for (const uint32_t offset : References::inside((*lists)[code.section()], function)) {
      lead(offset, what);
    }
  }
  for (uint32_t i = begin; i < end; ++i) {
    const Instruction& instruction = instructions[i];
    if (instruction.flow == Flow::kNext) {
      if (static_cast<isa::Op>(instruction.insn.op) == isa::Op::kAuipc &&
          instruction.relocation == kNone) {
        obstacle_ =
            "it computes an address without a relocation; write 'la' or 'lla' instead of auipc";
      }
      continue;
    }
    if (i + 1 < end) leaders.insert(i + 1);
    if ((instruction.flow == Flow::kBranch || instruction.flow == Flow::kJump) &&
        instruction.target != kNone) {
      lead(instruction.target, "a branch");
    }
  }
  for (auto leader = leaders.begin(); leader != leaders.end(); ++leader) {
    const auto next = std::next(leader);
    Block block;
    block.first = *leader;
    block.last = (next == leaders.end() ? end : *next) - 1;
    blocks_.push_back(block);
  }
}

void FlowGraph::connect(const Code& code, const Function& function, const References& references) {
  const std::vector<Instruction>& instructions = code.instructions();
  // No block begins in the middle of an instruction; split() has made an obstacle of it.
  const auto block_at = [&](uint32_t offset) {
    return offset >= function.start && offset < function.end && code.is_boundary(offset)
               ? block_of(static_cast<uint32_t>(code.at(offset)))
               : kNone;
  };
  const auto blocks_at = [&](const std::vector<std::vector<uint32_t>>& lists) {
    std::vector<uint32_t> found;
    for (const uint32_t offset : References::inside(lists[code.section()], function)) {
      if (code.is_boundary(offset)) found.push_back(block_at(offset));
    }
    return found;
  };
  const std::vector<uint32_t> pads = blocks_at(references.landing_pads);
  std::vector<uint32_t> jumped_to = blocks_at(references.tables);
  for (const uint32_t block : blocks_at(references.taken)) jumped_to.push_back(block);
  blocks_.front().entry = true;
  for (const uint32_t block : blocks_at(references.entered)) blocks_[block].entry = true;
  bool jumps_by_table = false;
  const bool splits = References::any_inside(references.table_leads_out[code.section()], function);
  for (uint32_t i = 0; i < blocks_.size(); ++i) {
    Block& block = blocks_[i];
    const Instruction& last = instructions[block.last];
    const auto to = [&](uint32_t target) {
      if (target == kNone) {
        block.leaves = true;
      } else if (std::find(block.successors.begin(), block.successors.end(), target) ==
                 block.successors.end()) {
        block.successors.push_back(target);
      }
    };
    const uint32_t next = i + 1 < blocks_.size() ? i + 1 : kNone;
    switch (last.flow) {
      case Flow::kNext:
        to(next);
        break;
      case Flow::kBranch:
        to(next);
        to(last.target == kNone ? kNone : block_at(last.target));
        break;
      case Flow::kJump:
        to(last.target == kNone ? kNone : block_at(last.target));
        break;
      case Flow::kCall:
      case Flow::kIndirectCall:
        to(next);
        for (const uint32_t pad : pads) to(pad);
        break;
      case Flow::kIndirectJump:
        // Beside a table it may be a tail call all the same: the instruction does not tell.
        jumps_by_table |= !jumped_to.empty();
        block.leaves = true;
        block.splits = splits;
        for (const uint32_t target : jumped_to) to(target);
        break;
      case Flow::kTailCall:
      case Flow::kOtherPart:
      case Flow::kReturn:
      case Flow::kStop:
        block.leaves = true;
        break;
    }
  }
  // Labels in data that no jump of this function can reach belong to someone else.
  if (!jumps_by_table) {
    for (const uint32_t block : jumped_to) blocks_[block].entry = true;
  }
  for (uint32_t i = 0; i < blocks_.size(); ++i) {
    for (const uint32_t successor : blocks_[i].successors)
      blocks_[successor].predecessors.push_back(i);
  }
}

void FlowGraph::find_dominators() {
  // Reverse postorder from all entries, without recursion.
  std::vector<uint8_t> seen(blocks_.size());
  std::vector<uint32_t> postorder;
  for (uint32_t root = 0; root < blocks_.size(); ++root) {
    if (!blocks_[root].entry || seen[root] != 0) continue;
    std::vector<std::pair<uint32_t, size_t>> stack = {{root, 0}};
    seen[root] = 1;
    while (!stack.empty()) {
      auto& [block, next] = stack.back();
      if (next == blocks_[block].successors.size()) {
        postorder.push_back(block);
        stack.pop_back();
        continue;
      }
      const uint32_t successor = blocks_[block].successors[next++];
      if (seen[successor] == 0) {
        seen[successor] = 1;
        stack.emplace_back(successor, 0);
      }
    }
  }
  order_.assign(postorder.rbegin(), postorder.rend());
  // A root above all entries has number 0 (Cooper, Harvey, Kennedy: A Simple, Fast Dominance
  // Algorithm).
  number_.assign(blocks_.size(), 0);
  for (uint32_t i = 0; i < order_.size(); ++i) {
    number_[order_[i]] = i + 1;
    blocks_[order_[i]].reachable = true;
  }
  std::vector<uint32_t> above(order_.size() + 1, kNone);  // by number
  above[0] = 0;
  const auto common = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (a > b) a = above[a];
      while (b > a) b = above[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 1; i <= order_.size(); ++i) {
      const Block& block = blocks_[order_[i - 1]];
      uint32_t dominator = block.entry ? 0 : kNone;
      for (const uint32_t predecessor : block.predecessors) {
        const uint32_t number = number_[predecessor];
        if (number == 0 || above[number] == kNone) continue;
        dominator = dominator == kNone ? number : common(dominator, number);
      }
      if (dominator != above[i]) {
        above[i] = dominator;
        changed = true;
      }
    }
  }
  for (uint32_t i = 1; i <= order_.size(); ++i) {
    if (above[i] != 0 && above[i] != kNone) blocks_[order_[i - 1]].dominator = order_[above[i] - 1];
  }
}

bool FlowGraph::dominates(uint32_t above, uint32_t below) const {
  while (below != above && below != kNone) below = blocks_[below].dominator;
  return below == above;
}

void FlowGraph::find_loops() {
  std::vector<uint32_t> loop_of_header(blocks_.size(), kNone);
  std::vector<Loop> irreducible;
  for (const uint32_t block : order_) {
    for (const uint32_t successor : blocks_[block].successors) {
      if (number_[successor] > number_[block]) continue;  // forward
      if (!dominates(successor, block)) {
        Loop loop;
        loop.header = successor;
        loop.latches = {block};
        loop.blocks = {std::min(block, successor), std::max(block, successor)};
        loop.reducible = false;
        irreducible.push_back(loop);
        continue;
      }
      uint32_t& index = loop_of_header[successor];
      if (index == kNone) {
        index = static_cast<uint32_t>(loops_.size());
        loops_.emplace_back();
        loops_.back().header = successor;
      }
      loops_[index].latches.push_back(block);
    }
  }
  for (Loop& loop : loops_) {
    std::set<uint32_t> body = {loop.header};
    std::vector<uint32_t> open;
    for (const uint32_t latch : loop.latches) {
      if (body.insert(latch).second) open.push_back(latch);
    }
    while (!open.empty()) {
      const uint32_t block = open.back();
      open.pop_back();
      for (const uint32_t predecessor : blocks_[block].predecessors) {
        if (blocks_[predecessor].reachable && body.insert(predecessor).second) {
          open.push_back(predecessor);
        }
      }
    }
    loop.blocks.assign(body.begin(), body.end());
  }
  loops_.insert(loops_.end(), irreducible.begin(), irreducible.end());
}

}  // namespace strobe::object
