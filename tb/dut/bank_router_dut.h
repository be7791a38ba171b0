// The Verilated bank router and message merge with the interfaces of their references.
#pragma once

#include <type_traits>

#include "sc_models/profiling/reference/sampler/bank_router.h"
#include "sc_models/profiling/reference/sampler/message_merge.h"
#include "tb/common/clocked.h"
#include "tb/common/tuple_lanes.h"

namespace strobe::tb {

/// Sets a port of at most 32 bits from the fields of `width` bits that `field(k)` gives.
template <typename Port, class Field>
void pack(Port& port, unsigned count, unsigned width, Field field) {
  uint64_t all = 0;
  for (unsigned k = 0; k < count; ++k) all |= uint64_t{field(k)} << (width * k);
  port = static_cast<Port>(all);
}

template <class V, unsigned kLanes, unsigned kBanks>
class BankRouterDut {
 public:
  using Inputs = profiling::BankRouter::Inputs;
  using Outputs = profiling::BankRouter::Outputs;

  Outputs step(const Inputs& in) {
    V& top = block_.top();
    top.clear_i = in.clear;
    pack(top.valid_i, kLanes, 1, [&](unsigned k) { return unsigned{in.valid[k]}; });
    pack(top.ready_i, kBanks, 1, [&](unsigned b) { return unsigned{in.ready[b]}; });
    for (unsigned k = 0; k < kLanes; ++k) {
      set_tuple(top.tuple_i, in.tuple[k], k);
      set_bits(top.index_i, 12 * k, 12, in.index[k]);
    }
    block_.settle();
    Outputs out;
    out.ready = top.ready_o != 0;
    out.idle = top.idle_o != 0;
    for (unsigned b = 0; b < kBanks; ++b) {
      out.valid[b] = get_bits(top.valid_o, b, 1) != 0;
      if (!out.valid[b]) continue;
      out.tuple[b] = get_tuple(top.tuple_o, b);
      out.row[b] = static_cast<uint16_t>(get_bits(top.row_o, 12 * b, 12));
    }
    block_.edge();
    return out;
  }

 private:
  Clocked<V> block_;
};

template <class V, unsigned kBanks, unsigned kCountWidth>
class MessageMergeDut {
 public:
  using Inputs = profiling::MessageMerge::Inputs;
  using Outputs = profiling::MessageMerge::Outputs;

  Outputs step(const Inputs& in) {
    V& top = block_.top();
    top.clear_i = in.clear;
    top.ready_i = in.ready;
    pack(top.valid_i, kBanks, 1, [&](unsigned b) { return unsigned{in.valid[b]}; });
    for (unsigned b = 0; b < kBanks; ++b) {
      set_tuple(top.tuple_i, in.message[b].tuple, b);
      set_bits(top.count_i, kCountWidth * b, kCountWidth, in.message[b].count);
    }
    block_.settle();
    Outputs out;
    out.valid = top.valid_o != 0;
    out.message.tuple = get_tuple(top.tuple_o);
    out.message.count = top.count_o;
    for (unsigned b = 0; b < kBanks; ++b) out.ready[b] = get_bits(top.ready_o, b, 1) != 0;
    block_.edge();
    return out;
  }

 private:
  Clocked<V> block_;
};

}  // namespace strobe::tb
