// The Verilated ring writer with the interface of its reference.
#pragma once

#include <type_traits>

#include "sc_models/profiling/reference/message/ring_writer.h"
#include "tb/common/clocked.h"
#include "tb/common/tuple_lanes.h"

namespace strobe::tb {

template <class V>
class RingWriterDut {
 public:
  using Inputs = profiling::RingWriter::Inputs;
  using Outputs = profiling::RingWriter::Outputs;

  Outputs step(const Inputs& in) {
    V& top = block_.top();
    top.clear_i = in.clear;
    top.enable_i = in.ring.enable;
    top.overwrite_i = in.ring.overwrite;
    top.log2_entries_i = static_cast<CData>(in.ring.log2_entries);
    top.base_i = in.ring.base;
    top.cons_i = in.ring.cons;
    top.valid_i = in.valid;
    set_tuple(top.tuple_i, in.head.tuple);
    top.count_i = static_cast<std::remove_reference_t<decltype(top.count_i)>>(in.head.count);
    top.mem_ready_i = in.mem_ready;
    top.mem_idle_i = in.mem_idle;
    block_.settle();
    const Outputs out{top.pop_o != 0,   top.mem_valid_o != 0, top.mem_addr_o, top.mem_data_o,
                      top.busy_o != 0,  top.in_flight_o != 0, top.prod_o,     top.overwritten_o,
                      top.high_water_o, top.stalls_o};
    block_.edge();
    return out;
  }

 private:
  Clocked<V> block_;
};

}  // namespace strobe::tb
