#include "sw/optimize/traces.h"

#include <algorithm>
#include <cmath>

namespace strobe::optimize {
namespace {

using object::kNone;

/// Bounds of what is worth a copy: a superblock of that many operations fills the issue slots, and
/// the function must stay in the instruction cache.
constexpr uint32_t kMostOperations = 160;
constexpr double kMostGrowth = 2.0;  // operations of a function, relative to before
constexpr uint32_t kFreeGrowth = 128;
/// A node that is executed less often than this share of the hottest one is not worth a copy.
constexpr double kColdShare = 0.002;
/// A loop that is entered again less often than this is a part of the trace that leads to it.
constexpr double kFewestTrips = 1.5;
/// How far the mean of a loop's trips may be from a whole number when all its runs have that many.
constexpr double kSameTrips = 0.02;

class Former {
 public:
  Former(std::vector<FlowNode> blocks, const TraceOptions& options,
         const std::function<bool(uint32_t, uint32_t)>& dominates)
      : options_(options), dominates_(dominates), nodes_(std::move(blocks)) {
    const size_t count = nodes_.size();
    predecessors_.resize(count);
    trace_of_.assign(count, kNone);
    for (uint32_t i = 0; i < count; ++i) {
      link(i);
      operations_ += nodes_[i].operations;
      hottest_ = std::max(hottest_, nodes_[i].frequency);
    }
    most_operations_ =
        static_cast<uint32_t>(kMostGrowth * static_cast<double>(operations_)) + kFreeGrowth;
  }

  Traces form() {
    for (uint32_t seed = hottest_left(); seed != kNone; seed = hottest_left()) {
      std::vector<uint32_t> trace = {seed};
      trace_of_[seed] = static_cast<uint32_t>(traces_.size());
      traces_.push_back(trace);
      if (worth_copies(seed)) grow(trace_of_[seed]);
    }
    return {std::move(nodes_), std::move(traces_)};
  }

 private:
  bool worth_copies(uint32_t node) const {
    return nodes_[node].frequency > 0 && nodes_[node].frequency >= kColdShare * hottest_;
  }

  uint32_t hottest_left() const {
    uint32_t found = kNone;
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (trace_of_[i] != kNone) continue;
      if (found == kNone || nodes_[i].frequency > nodes_[found].frequency) found = i;
    }
    return found;
  }

  void link(uint32_t node) {
    for (const uint32_t to : {nodes_[node].taken, nodes_[node].next}) {
      if (to != kNone) predecessors_[to].push_back(node);
    }
  }

  double edge(uint32_t from, uint32_t to) const {
    return (nodes_[from].taken == to ? nodes_[from].to_taken : 0) +
           (nodes_[from].next == to ? nodes_[from].to_next : 0);
  }

  bool is_back_edge(uint32_t from, uint32_t to) const {
    return dominates_(nodes_[to].block, nodes_[from].block);
  }

  /// kNone when no successor is likely enough.
  uint32_t likely_successor(uint32_t node) const {
    const FlowNode& from = nodes_[node];
    if (from.ends_trace || from.frequency <= 0) return kNone;
    const uint32_t to = from.to_taken > from.to_next ? from.taken : from.next;
    if (to == kNone || edge(node, to) < options_.threshold * from.frequency) return kNone;
    return to;
  }

  /// Whether no other node leads to `to` more often than `from` does.
  bool is_likely_predecessor(uint32_t from, uint32_t to) const {
    const double here = edge(from, to);
    return std::all_of(predecessors_[to].begin(), predecessors_[to].end(),
                       [&](uint32_t other) { return edge(other, to) <= here; });
  }

  uint32_t size_of(const std::vector<uint32_t>& trace) const {
    uint32_t size = 0;
    for (const uint32_t node : trace) size += nodes_[node].operations;
    return size;
  }

  void grow(uint32_t number) {
    for (;;) {
      std::vector<uint32_t>& trace = traces_[number];
      if (is_loop(trace)) return unroll(number);
      const uint32_t last = trace.back(), to = likely_successor(last);
      if (to == kNone || is_back_edge(last, to)) return;
      if (trace_of_[to] != kNone) {
        if (!peel(number, to)) return;
        continue;
      }
      if (!is_likely_predecessor(last, to)) return;
      if (size_of(trace) + nodes_[to].operations > kMostOperations) return;
      const uint32_t own = without_side_entrance(last, to);
      if (own == kNone) return;
      trace_of_[own] = number;
      traces_[number].push_back(own);
    }
  }

  bool is_loop(const std::vector<uint32_t>& trace) const {
    return !nodes_[trace.back()].ends_trace && edge(trace.back(), trace.front()) > 0 &&
           is_back_edge(trace.back(), trace.front()) && trips(trace) >= kFewestTrips;
  }

  /// Whether control also arrives at `to` in another way.
  bool has_side_entrance(uint32_t from, uint32_t to) const {
    const bool only = std::all_of(predecessors_[to].begin(), predecessors_[to].end(),
                                  [&](uint32_t other) { return other == from; });
    return !only || nodes_[to].entered;
  }

  bool has_room(uint32_t operations) const { return operations_ + operations <= most_operations_; }

  /// `to`, or a copy of it that only `from` leads to (tail duplication); kNone when a copy is too
  /// much.
  uint32_t without_side_entrance(uint32_t from, uint32_t to) {
    if (!has_side_entrance(from, to)) return to;
    if (!worth_copies(from) || !has_room(nodes_[to].operations)) return kNone;
    const double share =
        nodes_[to].frequency > 0 ? std::min(1.0, edge(from, to) / nodes_[to].frequency) : 1;
    const uint32_t made = copy(to, share);
    redirect(from, to, made);
    return made;
  }

  /// A copy that takes over a share of the node's executions.
  uint32_t copy(uint32_t node, double share) {
    FlowNode made = nodes_[node];
    made.entered = false;
    const auto scale = [](FlowNode* one, double by) {
      one->frequency *= by;
      one->to_taken *= by;
      one->to_next *= by;
    };
    scale(&made, share);
    scale(&nodes_[node], 1 - share);
    const auto number = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back(made);
    predecessors_.emplace_back();
    trace_of_.push_back(kNone);
    link(number);
    operations_ += made.operations;
    return number;
  }

  void redirect(uint32_t from, uint32_t to, uint32_t instead) {
    std::vector<uint32_t>& known = predecessors_[to];
    for (uint32_t* const edge_to : {&nodes_[from].taken, &nodes_[from].next}) {
      if (*edge_to != to) continue;
      *edge_to = instead;
      known.erase(std::find(known.begin(), known.end(), from));
      predecessors_[instead].push_back(from);
    }
  }

  /// Copies of a trace in the order of its nodes, each of which takes over a share of the original.
  std::vector<uint32_t> copy_trace(const std::vector<uint32_t>& trace, double share) {
    std::vector<uint32_t> copies;
    for (const uint32_t node : trace) {
      copies.push_back(copy(node, share));
      if (copies.size() > 1) redirect(copies[copies.size() - 2], node, copies.back());
    }
    return copies;
  }

  /// How often the loop that a trace is runs for each time it is entered.
  double trips(const std::vector<uint32_t>& loop) const {
    const double all = nodes_[loop.front()].frequency;
    const double again = edge(loop.back(), loop.front());
    return again >= all ? INFINITY : all / (all - again);
  }

  void unroll(uint32_t number) {
    const std::vector<uint32_t> body = traces_[number];
    const double trips_each = trips(body);
    unsigned copies = options_.most_unrolled;
    while (copies > 1 && (trips_each < copies || size_of(body) * copies > kMostOperations ||
                          !has_room(size_of(body) * (copies - 1)))) {
      --copies;
    }
    loops_.push_back(number);
    if (copies < 2 || trips_each < options_.most_peeled + 0.5) return;
    // All copies are made before the first edge to the loop's beginning is changed.
    std::vector<std::vector<uint32_t>> made;
    for (unsigned i = 1; i < copies; ++i) made.push_back(copy_trace(body, 1.0 / (copies - i + 1)));
    for (const std::vector<uint32_t>& one : made) {
      redirect(traces_[number].back(), body.front(), one.front());
      append(number, one);
    }
  }

  void append(uint32_t number, const std::vector<uint32_t>& nodes) {
    for (const uint32_t node : nodes) {
      trace_of_[node] = number;
      traces_[number].push_back(node);
    }
  }

  /// Copies a loop that runs only a few times to the end of the trace that leads to it.
  /// @return whether it always runs that often, so that the trace goes on after the loop
  bool peel(uint32_t number, uint32_t head) {
    const uint32_t loop = trace_of_[head];
    if (std::find(loops_.begin(), loops_.end(), loop) == loops_.end()) return false;
    const std::vector<uint32_t> body = traces_[loop];
    const double trips_each = trips(body);
    if (body.front() != head || trips_each >= options_.most_peeled + 0.5) return false;
    const auto count = static_cast<unsigned>(std::max(1.0, std::round(trips_each)));
    const bool same = std::abs(trips_each - count) < kSameTrips;
    double entering = edge(traces_[number].back(), head);
    for (unsigned i = 0; i < count; ++i) {
      const uint32_t size = size_of(body);
      const double frequency = nodes_[head].frequency;
      if (size_of(traces_[number]) + size > kMostOperations || !has_room(size) || frequency <= 0) {
        return false;
      }
      const uint32_t last = traces_[number].back();
      const std::vector<uint32_t> made = copy_trace(body, std::min(1.0, entering / frequency));
      if (same) decide(made.back(), head, i + 1 < count);
      redirect(last, head, made.front());
      append(number, made);
      entering *= same ? 1 : 1 - 1 / trips_each;
    }
    return same;
  }

  /// The node always goes to `to`, or never.
  void decide(uint32_t node, uint32_t to, bool always) {
    FlowNode& from = nodes_[node];
    const bool taken = (from.taken == to) == always;
    from.to_taken = taken ? from.frequency : 0;
    from.to_next = taken ? 0 : from.frequency;
  }

  const TraceOptions& options_;
  const std::function<bool(uint32_t, uint32_t)>& dominates_;
  std::vector<FlowNode> nodes_;
  std::vector<std::vector<uint32_t>> predecessors_, traces_;
  std::vector<uint32_t> trace_of_;
  std::vector<uint32_t> loops_;  // traces that end with a branch to their own beginning
  double hottest_ = 0;
  uint32_t operations_ = 0, most_operations_ = 0;
};

}  // namespace

Traces form_traces(std::vector<FlowNode> blocks, const TraceOptions& options,
                   const std::function<bool(uint32_t, uint32_t)>& dominates) {
  return Former(std::move(blocks), options, dominates).form();
}

}  // namespace strobe::optimize
