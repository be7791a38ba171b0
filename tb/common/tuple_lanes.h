// Tuples in the flat ports of a Verilated block: lane k at k times the width of a tuple.
#pragma once

#include <cstring>

#include "sc_models/port/tuple.h"

namespace strobe::tb {

/// The width of each field of a tuple port; the order is {tag, pc, value}.
struct TupleShape {
  unsigned pc = 64, value = 64;
  static constexpr unsigned kTag = 4;
  constexpr unsigned width() const { return kTag + pc + value; }
};

__extension__ using FieldBits = unsigned __int128;

constexpr FieldBits low_bits(unsigned width) { return (FieldBits{1} << width) - 1; }

/// Reads `width` bits, at most 64, of a port from bit `at` on. Verilator stores a port in one word
/// or in an array of words, the least significant first.
template <typename Port>
uint64_t get_bits(const Port& port, unsigned at, unsigned width) {
  FieldBits bits = 0;
  std::memcpy(&bits, reinterpret_cast<const unsigned char*>(&port) + at / 8,
              (at % 8 + width + 7) / 8);
  return static_cast<uint64_t>((bits >> at % 8) & low_bits(width));
}

/// Sets these bits and leaves the others.
template <typename Port>
void set_bits(Port& port, unsigned at, unsigned width, uint64_t value) {
  unsigned char* place = reinterpret_cast<unsigned char*>(&port) + at / 8;
  const unsigned bytes = (at % 8 + width + 7) / 8;
  FieldBits bits = 0;
  std::memcpy(&bits, place, bytes);
  const FieldBits field = low_bits(width) << at % 8;
  bits = (bits & ~field) | ((FieldBits{value} << at % 8) & field);
  std::memcpy(place, &bits, bytes);
}

template <typename Port>
void set_tuple(Port& port, const Tuple& tuple, unsigned lane = 0, TupleShape shape = {}) {
  const unsigned at = lane * shape.width();
  set_bits(port, at, shape.value, tuple.value);
  set_bits(port, at + shape.value, shape.pc, tuple.pc);
  set_bits(port, at + shape.value + shape.pc, TupleShape::kTag, tuple.tag);
}

template <typename Port>
Tuple get_tuple(const Port& port, unsigned lane = 0, TupleShape shape = {}) {
  const unsigned at = lane * shape.width();
  return Tuple{get_bits(port, at + shape.value, shape.pc), get_bits(port, at, shape.value),
               static_cast<uint8_t>(get_bits(port, at + shape.value + shape.pc, TupleShape::kTag))};
}

}  // namespace strobe::tb
