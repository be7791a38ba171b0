// The Verilated stratified sampler with the interface of its reference.
#pragma once

#include "sc_models/profiling/reference/sampler/stratified_sampler.h"
#include "tb/dut/compressor_dut.h"

namespace strobe::tb {

struct StratifiedPorts {
  using Reference = profiling::StratifiedSampler;

  template <class V>
  static void drive(V& top, const Reference::Inputs& in) {
    set_tuple(top.tuple_i, in.tuple);
    top.period_i = static_cast<SData>(in.rate.period);
    top.threshold_i = in.rate.threshold;
    top.seed_i = in.seed;
  }
  template <class V>
  static void read(const V& top, Reference::Outputs& out) {
    out.init = top.init_o != 0;
    out.table_data = top.table_data_o;
  }
};

template <class V>
using StratifiedSamplerDut = CompressorDut<V, StratifiedPorts>;

}  // namespace strobe::tb
