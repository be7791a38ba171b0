// The tuples beside a hash that has stages of its own, cycle by cycle. docs/blocks/hash.md
#pragma once

#include <array>

#include "sc_models/port/retire.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/hash.h"
#include "sc_models/profiling/reference/tuple_queue.h"

namespace strobe::profiling {

class HashPipeline {
 public:
  explicit HashPipeline(HashKind hash) : has_stages_(hash == HashKind::kMultiplyShift) {}

  /// False: every tuple is out in the cycle in which it is in, and nobody needs to ask here.
  bool has_stages() const { return has_stages_; }
  bool ready(bool out_ready) const { return stages_[1].count == 0 || out_ready; }
  bool idle() const { return stages_[0].count == 0 && stages_[1].count == 0; }
  /// What is offered at the end; good until the edge.
  TupleGroup out() const;

  /// The edge; `group` is what is offered, empty when nothing is or it is not ready.
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
