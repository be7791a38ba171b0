// The tuple register: one group of tuples between queue and compressor.
// docs/blocks/tuple_register.md
#pragma once

#include <array>

#include "sc_models/port/retire.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/tuple_queue.h"

namespace strobe::profiling {

class TupleRegister {
 public:
  struct Inputs {
    bool clear = false;
    bool ready = false;                // the compressor is: the group leaves
    bool valid[kMaxRetireWidth] = {};  // without gaps
    Tuple tuple[kMaxRetireWidth];
  };
  struct Outputs {
    bool ready = false;  // combinational from the input of that name
    bool valid[kMaxRetireWidth] = {};
    Tuple tuple[kMaxRetireWidth];  // the oldest first
  };

  Outputs step(const Inputs& inputs);

  bool empty() const { return count_ == 0; }
  bool ready(bool compressor_ready) const { return empty() || compressor_ready; }
  /// What is held; good until the next edge.
  TupleGroup group() const {
    TupleGroup held;
    held.count = count_;
    for (unsigned k = 0; k < count_; ++k) held.tuple[k] = &held_[k];
    return held;
  }
  /// The edge of a cycle with ready().
  void take(const TupleGroup& offered);
  void clear() { count_ = 0; }

 private:
  std::array<Tuple, kMaxRetireWidth> held_;
  unsigned count_ = 0;
};

}  // namespace strobe::profiling
