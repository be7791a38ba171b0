// The Verilated tuple queue with the interface of its reference.
#pragma once

#include "sc_models/profiling/reference/selection/tuple_queue.h"
#include "tb/common/clocked.h"
#include "tb/common/tuple_lanes.h"

namespace strobe::tb {

template <class V, unsigned kLanes, unsigned kHeads>
class TupleQueueDut {
 public:
  using Inputs = profiling::TupleQueue::Inputs;
  using Outputs = profiling::TupleQueue::Outputs;

  Outputs step(const Inputs& in) {
    V& top = block_.top();
    uint32_t valid = 0;
    for (unsigned k = 0; k < kLanes; ++k) {
      valid |= static_cast<uint32_t>(in.valid[k]) << k;
      set_tuple(top.tuple_i, in.tuple[k], k);
    }
    top.valid_i = static_cast<CData>(valid);
    top.clear_i = in.clear;
    top.ready_i = in.ready;
    block_.settle();
    Outputs out;
    for (unsigned h = 0; h < kHeads; ++h) {
      out.valid[h] = (top.valid_o >> h & 1) != 0;
      if (out.valid[h]) out.head[h] = get_tuple(top.tuple_o, h);
    }
    out.empty = top.empty_o != 0;
    for (unsigned k = 0; k < kLanes; ++k) out.arrived[k] = (top.arrived_o >> k & 1) != 0;
    out.drop = top.drop_o != 0;
    out.dropped = top.dropped_o;
    block_.edge();
    return out;
  }

 private:
  Clocked<V> block_;
};

}  // namespace strobe::tb
