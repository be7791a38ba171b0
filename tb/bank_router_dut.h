// The Verilated bank router and message merge behind the interfaces of their references.
#pragma once

#include <type_traits>

#include "sc_models/profiling/reference/bank_router.h"
#include "sc_models/profiling/reference/message_merge.h"
#include "sc_models/profiling/verilated/lane_ports.h"
#include "tb/clocked.h"

namespace strobe::tb {

/// Sets a port of at most 32 bits from the fields of `width` bits that `field(k)` gives.
template <typename Port, class Field>
void pack(Port& port, unsigned count, unsigned width, Field field) {
  uint64_t all = 0;
  for (unsigned k = 0; k < count; ++k) all |= uint64_t{field(k)} << (width * k);
  port = static_cast<Port>(all);
}

/// A field of `width` bits of a port that Verilator keeps in one word or in an array of words.
template <typename Port>
uint64_t narrow_lane(const Port& port, unsigned lane, unsigned width) {
  uint64_t value = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(&port);
  for (unsigned bit = 0; bit < width; ++bit) {
    const unsigned at = lane * width + bit;
    value |= uint64_t{(bytes[at / 8] >> (at % 8)) & 1u} << bit;
  }
  return value;
}

template <typename Port>
void set_narrow_lane(Port& port, unsigned lane, unsigned width, uint64_t value) {
  auto* bytes = reinterpret_cast<unsigned char*>(&port);
  for (unsigned bit = 0; bit < width; ++bit) {
    const unsigned at = lane * width + bit;
    const auto mask = static_cast<unsigned char>(1u << (at % 8));
    const bool one = ((value >> bit) & 1) != 0;
    bytes[at / 8] = static_cast<unsigned char>(one ? bytes[at / 8] | mask : bytes[at / 8] & ~mask);
  }
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
    pack(top.tag_i, kLanes, 4, [&](unsigned k) { return unsigned{in.tuple[k].tag}; });
    pack(top.ready_i, kBanks, 1, [&](unsigned b) { return unsigned{in.ready[b]}; });
    for (unsigned k = 0; k < kLanes; ++k) {
      profiling::set_lane(top.pc_i, k, in.tuple[k].pc);
      profiling::set_lane(top.value_i, k, in.tuple[k].value);
      set_narrow_lane(top.index_i, k, 12, in.index[k]);
    }
    block_.settle();
    Outputs out;
    out.ready = top.ready_o != 0;
    out.idle = top.idle_o != 0;
    for (unsigned b = 0; b < kBanks; ++b) {
      out.valid[b] = narrow_lane(top.valid_o, b, 1) != 0;
      if (!out.valid[b]) continue;
      out.tuple[b].tag = static_cast<uint8_t>(narrow_lane(top.tag_o, b, 4));
      out.tuple[b].pc = profiling::get_lane<uint64_t>(top.pc_o, b);
      out.tuple[b].value = profiling::get_lane<uint64_t>(top.value_o, b);
      out.row[b] = static_cast<uint16_t>(narrow_lane(top.row_o, b, 12));
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
    pack(top.tag_i, kBanks, 4, [&](unsigned b) { return unsigned{in.message[b].tuple.tag}; });
    for (unsigned b = 0; b < kBanks; ++b) {
      profiling::set_lane(top.pc_i, b, in.message[b].tuple.pc);
      profiling::set_lane(top.value_i, b, in.message[b].tuple.value);
      set_narrow_lane(top.count_i, b, kCountWidth, in.message[b].count);
    }
    block_.settle();
    Outputs out;
    out.valid = top.valid_o != 0;
    out.message.tuple = Tuple{top.pc_o, top.value_o, top.tag_o};
    out.message.count = top.count_o;
    for (unsigned b = 0; b < kBanks; ++b) out.ready[b] = narrow_lane(top.ready_o, b, 1) != 0;
    block_.edge();
    return out;
  }

 private:
  Clocked<V> block_;
};

}  // namespace strobe::tb
