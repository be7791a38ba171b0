// Flat Verilated ports that hold one field for each lane.
//
// Verilator gives a port the narrowest type that fits, from a byte to an array of words. Each is
// stored from its least significant word up, so a field of whole bytes is at lane times its size.
#pragma once

#include <cstring>

namespace strobe::profiling {

/// Sets the field of one lane.
template <typename Port, typename Field>
void set_lane(Port& port, unsigned lane, Field value) {
  std::memcpy(reinterpret_cast<unsigned char*>(&port) + lane * sizeof(Field), &value,
              sizeof(Field));
}

/// Reads the field of one lane.
template <typename Field, typename Port>
Field get_lane(const Port& port, unsigned lane) {
  Field value;
  std::memcpy(&value, reinterpret_cast<const unsigned char*>(&port) + lane * sizeof(Field),
              sizeof(Field));
  return value;
}

}  // namespace strobe::profiling
