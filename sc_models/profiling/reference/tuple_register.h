// The tuple register: up to two groups of tuples between queue and compressor.
// docs/blocks/tuple_register.md
#pragma once

#include <array>

#include "sc_models/port/retire.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/tuple_queue.h"

namespace strobe::profiling {

class TupleRegister {
 public:
  struct Inputs {
    bool clear = false;
    bool ready = false;                // the compressor is: the group leaves
    bool valid[kMaxRetireWidth] = {};  // without gaps
    Tuple tuple[kMaxRetireWidth];
  };
  struct Outputs {
    bool ready = false;  // a group would enter
    bool valid[kMaxRetireWidth] = {};
    Tuple tuple[kMaxRetireWidth];  // the oldest first
  };

  Outputs step(const Inputs& inputs);

  bool empty() const { return groups_ == 0; }
  bool ready() const { return groups_ != kGroups; }
  /// The older group; good until the next edge.
  TupleGroup group() const {
    TupleGroup older;
    if (empty()) return older;
    const Group& held = held_[first_];
    older.count = held.count;
    for (unsigned k = 0; k < held.count; ++k) older.tuple[k] = &held.tuple[k];
    return older;
  }
  /// The edge alone; `offered` enters only if ready().
  void advance(const TupleGroup& offered, bool compressor_ready);
  void clear() { groups_ = 0; }

 private:
  static constexpr unsigned kGroups = 2;
  struct Group {
    std::array<Tuple, kMaxRetireWidth> tuple;
    unsigned count = 0;
  };
  std::array<Group, kGroups> held_;
  unsigned first_ = 0;  // of held_, the older
  unsigned groups_ = 0;
};

}  // namespace strobe::profiling
