// The stages of a hash that takes several cycles, with the tuples in them, cycle by cycle.
// docs/blocks/hash.md
#pragma once

#include <array>

#include "sc_models/port/retire.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/hash/hash.h"
#include "sc_models/profiling/reference/selection/tuple_queue.h"

namespace strobe::profiling {

/// Two stages for multiply-shift, none for any other hash. A stage holds a group of tuples; both
/// advance together.
class HashPipeline {
 public:
  explicit HashPipeline(HashKind hash) : has_stages_(hash == HashKind::kMultiplyShift) {}

  /// False: a tuple leaves in the cycle in which it arrives, and the other functions are not
  /// needed.
  bool has_stages() const { return has_stages_; }
  bool ready(bool out_ready) const { return stages_[1].count == 0 || out_ready; }
  bool idle() const { return stages_[0].count == 0 && stages_[1].count == 0; }
  /// The group that is offered at the end; valid until the next edge.
  TupleGroup out() const;

  /// The edge. `group` is what is offered; it is empty when nothing is or the pipeline is not
  /// ready.
  void advance(const TupleGroup& group, bool out_ready);
  void clear() {
    for (Stage& stage : stages_) stage.count = 0;
  }

 private:
  struct Stage {
    std::array<Tuple, kMaxRetireWidth> tuple;
    unsigned count = 0;
  };

  bool has_stages_;
  std::array<Stage, 2> stages_;
};

}  // namespace strobe::profiling
