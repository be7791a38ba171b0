// The Verilated message buffer with the interface of its reference.
#pragma once

#include <type_traits>

#include "sc_models/profiling/reference/message/message_buffer.h"
#include "tb/common/clocked.h"
#include "tb/common/tuple_lanes.h"

namespace strobe::tb {

template <class V>
class MessageBufferDut {
 public:
  using Inputs = profiling::MessageBuffer::Inputs;
  using Outputs = profiling::MessageBuffer::Outputs;

  Outputs step(const Inputs& in) {
    V& top = block_.top();
    top.clear_i = in.clear;
    top.valid_i = in.valid;
    set_tuple(top.tuple_i, in.message.tuple);
    top.count_i = static_cast<std::remove_reference_t<decltype(top.count_i)>>(in.message.count);
    top.pop_i = in.pop;
    block_.settle();
    Outputs out{top.ready_o != 0,    top.valid_o != 0, Message{},
                top.arriving_o != 0, top.level_o,      top.high_water_o};
    if (out.valid) out.head = Message{get_tuple(top.tuple_o), top.count_o};
    block_.edge();
    return out;
  }

 private:
  Clocked<V> block_;
};

}  // namespace strobe::tb
