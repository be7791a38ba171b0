// The tuple queue: W tuples in, up to `heads` out; drops and counts what it cannot hold.
// docs/blocks/tuple_queue.md
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sc_models/port/retire.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/saturate.h"

namespace strobe::profiling {

/// Tuples that leave a queue together, the oldest first; good until the queue's next edge.
struct TupleGroup {
  std::array<const Tuple*, kMaxRetireWidth> tuple;  // the first `count`
  unsigned count = 0;

  /// Of one tuple, or none: nullptr.
  static TupleGroup of(const Tuple* tuple) {
    TupleGroup group;
    if (tuple != nullptr) group.tuple[group.count++] = tuple;
    return group;
  }
  const Tuple* only() const { return count == 0 ? nullptr : tuple[0]; }
};

class TupleQueue {
 public:
  struct Inputs {
    bool clear = false;
    bool ready = false;  // whoever takes the heads is ready: they leave together
    bool valid[kMaxRetireWidth] = {};
    Tuple tuple[kMaxRetireWidth];
  };
  struct Outputs {  // all from state
    bool valid[kMaxRetireWidth] = {};
    Tuple head[kMaxRetireWidth];  // the oldest first
    uint32_t count = 0;
    uint32_t dropped = 0;  // up to the cycle before the last
  };

  /// @param lanes  1 to 8
  /// @param depth  a power of two, `lanes` to 1024
  /// @param heads  1 to `lanes`. Throws std::invalid_argument outside.
  TupleQueue(unsigned lanes, unsigned depth, unsigned heads = 1);

  Outputs step(const Inputs& inputs);
  Outputs outputs() const;

  /// Lanes that would be dropped in this cycle if `arriving` are valid: combinational.
  uint32_t drops(uint32_t arriving) const {
    const uint32_t room = depth() - count_;
    return arriving > room ? arriving - room : 0;
  }
  bool empty() const { return count_ == 0; }
  uint32_t dropped() const { return dropped_; }  // up to the cycle before the last
  /// Tuples at the heads.
  uint32_t offered() const { return count_ < heads_ ? count_ : heads_; }
  /// Head `number`, which must be below offered().
  const Tuple& head(uint32_t number = 0) const { return store_[(first_ + number) & (depth() - 1)]; }

  void take_heads(TupleGroup& group) const {
    group.count = offered();
    for (unsigned k = 0; k < group.count; ++k) group.tuple[k] = &head(k);
  }

  /// The edge alone, on data that stays where it is.
  void advance(bool ready, const bool* valid, const Tuple* tuple);
  /// Takes the heads when nothing arrives: the edge of a cycle without valid lanes.
  void pop();
  /// The edge of a cycle in which nothing arrives or leaves.
  void wait() {
    if (lost_ == 0) return;
    dropped_ = saturating_add(dropped_, lost_);
    lost_ = 0;
  }
  void clear();

 private:
  uint32_t depth() const { return static_cast<uint32_t>(store_.size()); }

  unsigned lanes_;
  unsigned heads_;
  std::vector<Tuple> store_;
  uint32_t first_ = 0;
  uint32_t count_ = 0;
  uint32_t lost_ = 0;     // in the last cycle
  uint32_t dropped_ = 0;  // before that
};

}  // namespace strobe::profiling
