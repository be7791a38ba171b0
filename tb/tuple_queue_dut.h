// The Verilated tuple queue behind the interface of its reference.
#pragma once

#include "sc_models/profiling/reference/tuple_queue.h"
#include "tb/clocked.h"
#include "tb/tuple_lanes.h"

namespace strobe::tb {

template <class V, unsigned kLanes, unsigned kHeads>
class TupleQueueDut {
 public:
  using Inputs = profiling::TupleQueue::Inputs;
  using Outputs = profiling::TupleQueue::Outputs;

  Outputs step(const Inputs& in) {
    V& top = block_.top();
    set_tuples(top, kLanes, in.valid, in.tuple);
    top.clear_i = in.clear;
    top.ready_i = in.ready;
    block_.settle();
    Outputs out;
    get_tuples(top, kHeads, out.valid, out.head);
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
