#include "sw/optimize/frequencies.h"

#include <algorithm>

namespace strobe::optimize {
namespace {

using object::Flow;
using object::kNone;

/// Where control goes from the block, without its frequencies.
FlowNode node_of(const object::Code& code, const object::FlowGraph& graph, uint32_t number) {
  const object::Block& block = graph.blocks()[number];
  const object::Instruction& last = code.instructions()[block.last];
  const uint32_t end = code.instructions()[graph.blocks().back().last].offset;
  const uint32_t begin = code.instructions()[graph.blocks().front().first].offset;
  FlowNode node;
  node.block = number;
  node.operations = block.last - block.first + 1;
  const bool inside = last.target != kNone && last.target >= begin && last.target <= end;
  const uint32_t target =
      inside ? graph.block_of(static_cast<uint32_t>(code.at(last.target))) : kNone;
  const uint32_t after = number + 1 < graph.blocks().size() ? number + 1 : kNone;
  switch (last.flow) {
    case Flow::kBranch:
      node.taken = target;
      node.next = after;
      break;
    case Flow::kJump:
      node.taken = target;
      break;
    case Flow::kNext:
      node.next = after;
      break;
    case Flow::kCall:
    case Flow::kIndirectCall:
      node.next = after;
      node.ends_trace = true;
      break;
    default:
      node.ends_trace = true;
      break;
  }
  return node;
}

}  // namespace

std::vector<FlowNode> nodes_of(const object::Code& code, const object::FlowGraph& graph,
                               const std::function<BranchCounts(uint32_t instruction)>& counts,
                               const std::vector<uint32_t>& labels) {
  const auto count = static_cast<uint32_t>(graph.blocks().size());
  std::vector<FlowNode> nodes;
  std::vector<bool> counted(count);
  for (uint32_t i = 0; i < count; ++i) {
    FlowNode node = node_of(code, graph, i);
    const object::Block& block = graph.blocks()[i];
    const uint32_t offset = code.instructions()[block.first].offset;
    node.entered = i == 0 || std::binary_search(labels.begin(), labels.end(), offset);
    if (code.instructions()[block.last].flow == Flow::kBranch) {
      const BranchCounts found = counts(block.last);
      node.to_taken = found.taken;
      node.to_next = found.not_taken;
      node.frequency = found.taken + found.not_taken;
      counted[i] = true;
    }
    nodes.push_back(node);
  }
  std::vector<std::vector<uint32_t>> predecessors(count);
  for (uint32_t i = 0; i < count; ++i) {
    if (nodes[i].taken != kNone) predecessors[nodes[i].taken].push_back(i);
    if (nodes[i].next != kNone && nodes[i].next != nodes[i].taken) {
      predecessors[nodes[i].next].push_back(i);
    }
  }
  const auto edge = [&](uint32_t from, uint32_t to) {
    return (nodes[from].taken == to ? nodes[from].to_taken : 0) +
           (nodes[from].next == to ? nodes[from].to_next : 0);
  };
  // A block without a branch is executed as often as control arrives, and at least as often as its
  // successor is reached from nowhere else. A path has as many blocks as there are at most, and a
  // cycle without a branch never ends.
  bool changed = true;
  for (uint32_t round = 0; changed && round < count; ++round) {
    changed = false;
    for (uint32_t i = 0; i < count; ++i) {
      if (counted[i]) continue;
      FlowNode& node = nodes[i];
      double frequency = 0;
      for (const uint32_t from : predecessors[i]) frequency += edge(from, i);
      const uint32_t to = node.taken != kNone ? node.taken : node.next;
      if (to != kNone && !nodes[to].entered) {
        double others = 0;
        for (const uint32_t from : predecessors[to]) others += from == i ? 0 : edge(from, to);
        frequency = std::max(frequency, nodes[to].frequency - others);
      }
      if (frequency <= node.frequency) continue;
      node.frequency = frequency;
      (node.taken != kNone ? node.to_taken : node.to_next) = frequency;
      changed = true;
    }
  }
  return nodes;
}

}  // namespace strobe::optimize
