// The Verilated tuple queue behind the interface of its reference.
#pragma once

#include "sc_models/profiling/reference/tuple_queue.h"
#include "sc_models/profiling/verilated/lane_ports.h"
#include "tb/clocked.h"

namespace strobe::tb {

template <class V, unsigned kLanes, unsigned kHeads>
class TupleQueueDut {
 public:
  using Inputs = profiling::TupleQueue::Inputs;
  using Outputs = profiling::TupleQueue::Outputs;

  Outputs step(const Inputs& in) {
    V& top = block_.top();
    uint32_t valid = 0, tags = 0;
    for (unsigned k = 0; k < kLanes; ++k) {
      valid |= static_cast<uint32_t>(in.valid[k]) << k;
      tags |= static_cast<uint32_t>(in.tuple[k].tag) << (4 * k);
      profiling::set_lane(top.pc_i, k, in.tuple[k].pc);
      profiling::set_lane(top.value_i, k, in.tuple[k].value);
    }
    top.clear_i = in.clear;
    top.ready_i = in.ready;
    top.valid_i = static_cast<CData>(valid);
    top.tag_i = static_cast<std::remove_reference_t<decltype(top.tag_i)>>(tags);
    block_.settle();
    drops_ = top.drop_o != 0;
    Outputs out;
    for (unsigned h = 0; h < kHeads; ++h) {
      out.valid[h] = ((top.valid_o >> h) & 1) != 0;
      if (!out.valid[h]) continue;  // its fields mean nothing
      out.head[h].tag = static_cast<uint8_t>((top.tag_o >> (4 * h)) & 0xf);
      out.head[h].pc = profiling::get_lane<uint64_t>(top.pc_o, h);
      out.head[h].value = profiling::get_lane<uint64_t>(top.value_o, h);
    }
    out.count = top.count_o;
    out.dropped = top.dropped_o;
    block_.edge();
    return out;
  }

  /// Whether the last cycle dropped something.
  bool drops() const { return drops_; }

 private:
  Clocked<V> block_;
  bool drops_ = false;
};

}  // namespace strobe::tb
