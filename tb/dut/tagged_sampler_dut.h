// The Verilated tagged sampler with the interface of its reference.
#pragma once

#include "sc_models/profiling/reference/sampler/tagged_sampler.h"
#include "tb/dut/compressor_dut.h"

namespace strobe::tb {

struct TaggedPorts {
  using Reference = profiling::TaggedSampler;

  template <class V>
  static void drive(V& top, const Reference::Inputs& in) {
    set_tuple(top.tuple_i, in.tuple);
    top.period_i = static_cast<SData>(in.thresholds.period);
    top.should_evict_i = static_cast<SData>(in.thresholds.should_evict);
    top.should_replace_i = static_cast<SData>(in.thresholds.should_replace);
  }
  template <class V>
  static void read(const V& top, Reference::Outputs& out) {
    out.init = top.init_o != 0;
    out.table_data = top.table_data_o;
  }
};

template <class V>
using TaggedSamplerDut = CompressorDut<V, TaggedPorts>;

}  // namespace strobe::tb
