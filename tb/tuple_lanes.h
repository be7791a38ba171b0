// Tuples in the lanes of a Verilated block's ports valid, tag, pc and value.
#pragma once

#include <type_traits>

#include "sc_models/port/tuple.h"
#include "sc_models/profiling/verilated/lane_ports.h"

namespace strobe::tb {

template <class V>
void set_tuples(V& top, unsigned lanes, const bool* valid, const Tuple* tuple) {
  uint32_t valids = 0, tags = 0;
  for (unsigned k = 0; k < lanes; ++k) {
    valids |= static_cast<uint32_t>(valid[k]) << k;
    tags |= static_cast<uint32_t>(tuple[k].tag) << (4 * k);
    profiling::set_lane(top.pc_i, k, tuple[k].pc);
    profiling::set_lane(top.value_i, k, tuple[k].value);
  }
  top.valid_i = static_cast<CData>(valids);
  top.tag_i = static_cast<std::remove_reference_t<decltype(top.tag_i)>>(tags);
}

/// Fields of a tuple that is not valid mean nothing, and stay as they are.
template <class V>
void get_tuples(const V& top, unsigned lanes, bool* valid, Tuple* tuple) {
  for (unsigned k = 0; k < lanes; ++k) {
    valid[k] = (top.valid_o >> k & 1) != 0;
    if (!valid[k]) continue;
    tuple[k].tag = static_cast<uint8_t>(top.tag_o >> (4 * k) & 0xf);
    tuple[k].pc = profiling::get_lane<uint64_t>(top.pc_o, k);
    tuple[k].value = profiling::get_lane<uint64_t>(top.value_o, k);
  }
}

}  // namespace strobe::tb
