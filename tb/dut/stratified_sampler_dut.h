// The Verilated stratified sampler with the interface of its reference.
#pragma once

#include "sc_models/profiling/reference/sampler/stratified_sampler.h"
#include "tb/common/clocked.h"
#include "tb/common/tuple_lanes.h"

namespace strobe::tb {

template <class V>
class StratifiedSamplerDut {
 public:
  using Inputs = profiling::StratifiedSampler::Inputs;
  using Outputs = profiling::StratifiedSampler::Outputs;

  void reset() { block_.reset(); }
  Outputs step(const Inputs& in) {
    V& top = block_.top();
    top.clear_i = in.clear;
    top.valid_i = in.valid;
    set_tuple(top.tuple_i, in.tuple);
    top.period_i = static_cast<SData>(in.rate.period);
    top.threshold_i = in.rate.threshold;
    top.seed_i = in.seed;
    top.msg_ready_i = in.msg_ready;
    top.table_index_i = static_cast<SData>(in.table_index);
    block_.settle();
    Outputs out;
    out.ready = top.ready_o != 0;
    out.msg_valid = top.msg_valid_o != 0;
    if (out.msg_valid) out.message = Message{get_tuple(top.msg_tuple_o), top.msg_count_o};
    out.init = top.init_o != 0;
    out.idle = top.idle_o != 0;
    out.table_data = top.table_data_o;
    block_.edge();
    return out;
  }

 private:
  Clocked<V> block_;
};

}  // namespace strobe::tb
