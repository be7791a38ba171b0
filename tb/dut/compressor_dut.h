// A Verilated compressor with the interface of its reference: the ports that compressors share.
#pragma once

#include "tb/common/clocked.h"
#include "tb/common/tuple_lanes.h"

namespace strobe::tb {

/// @tparam V      the model
/// @tparam Ports  the ports of this compressor alone: `Reference` is its reference class, drive()
///                sets the tuple and the settings, read() gets what the table shows
template <class V, class Ports>
class CompressorDut {
 public:
  using Inputs = typename Ports::Reference::Inputs;
  using Outputs = typename Ports::Reference::Outputs;

  Outputs step(const Inputs& in) {
    V& top = block_.top();
    top.clear_i = in.clear;
    top.valid_i = in.valid;
    Ports::drive(top, in);
    top.msg_ready_i = in.msg_ready;
    top.table_index_i = static_cast<SData>(in.table_index);
    block_.settle();
    Outputs out;
    out.ready = top.ready_o != 0;
    out.msg_valid = top.msg_valid_o != 0;
    if (out.msg_valid) out.message = Message{get_tuple(top.msg_tuple_o), top.msg_count_o};
    out.idle = top.idle_o != 0;
    Ports::read(top, out);
    block_.edge();
    return out;
  }
  bool init() { return block_.top().init_o != 0; }
  void reset() { block_.reset(); }

 private:
  Clocked<V> block_;
};

}  // namespace strobe::tb
