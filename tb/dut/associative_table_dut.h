// The Verilated associative table with the interface of its reference.
#pragma once

#include <type_traits>

#include "sc_models/profiling/reference/sampler/associative_table.h"
#include "tb/common/clocked.h"
#include "tb/common/tuple_lanes.h"

namespace strobe::tb {

template <class V>
class AssociativeTableDut {
 public:
  using Inputs = profiling::AssociativeTable::Inputs;
  using Outputs = profiling::AssociativeTable::Outputs;

  Outputs step(const Inputs& in) {
    V& top = block_.top();
    top.clear_i = in.clear;
    top.valid_i = in.valid;
    set_tuple(top.tuple_i, in.in.tuple);
    top.count_i = static_cast<std::remove_reference_t<decltype(top.count_i)>>(in.in.count);
    top.msg_ready_i = in.msg_ready;
    top.table_index_i = static_cast<SData>(in.table_index);
    block_.settle();
    Outputs out;
    out.ready = top.ready_o != 0;
    out.msg_valid = top.msg_valid_o != 0;
    if (out.msg_valid) out.message = Message{get_tuple(top.msg_tuple_o), top.msg_count_o};
    out.idle = top.idle_o != 0;
    out.table_valid = top.table_valid_o != 0;
    out.table = Message{get_tuple(top.table_tuple_o), top.table_count_o};
    block_.edge();
    return out;
  }
  bool init() { return block_.top().init_o != 0; }
  void reset() { block_.reset(); }

 private:
  Clocked<V> block_;
};

}  // namespace strobe::tb
