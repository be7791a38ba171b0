// The Verilated associative table with the interface of its reference.
#pragma once

#include <type_traits>

#include "sc_models/profiling/reference/sampler/associative_table.h"
#include "tb/dut/compressor_dut.h"

namespace strobe::tb {

struct AssociativePorts {
  using Reference = profiling::AssociativeTable;

  template <class V>
  static void drive(V& top, const Reference::Inputs& in) {
    set_tuple(top.tuple_i, in.in.tuple);
    top.count_i = static_cast<std::remove_reference_t<decltype(top.count_i)>>(in.in.count);
  }
  template <class V>
  static void read(const V& top, Reference::Outputs& out) {
    out.table_valid = top.table_valid_o != 0;
    out.table = Message{get_tuple(top.table_tuple_o), top.table_count_o};
  }
};

template <class V>
using AssociativeTableDut = CompressorDut<V, AssociativePorts>;

}  // namespace strobe::tb
