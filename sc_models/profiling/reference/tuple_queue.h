// The tuple queue: W tuples in, one out; drops and counts what it cannot hold.
// docs/blocks/tuple_queue.md
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/port/retire.h"
#include "sc_models/port/tuple.h"

namespace strobe::profiling {

class TupleQueue {
 public:
  struct Inputs {
    bool clear = false;
    bool ready = false;  // whoever takes the head is ready
    bool valid[kMaxRetireWidth] = {};
    Tuple tuple[kMaxRetireWidth];
  };
  struct Outputs {  // all from state
    bool valid = false;
    Tuple head;
    uint32_t count = 0;
    uint32_t dropped = 0;
  };

  /// @param lanes  1 to 8
  /// @param depth  a power of two, `lanes` to 1024. Throws std::invalid_argument outside.
  TupleQueue(unsigned lanes, unsigned depth);

  Outputs step(const Inputs& inputs);
  Outputs outputs() const { return Outputs{count_ != 0, head(), count_, dropped_}; }

  /// Lanes that would be dropped in this cycle if `arriving` are valid: combinational.
  uint32_t drops(uint32_t arriving) const {
    const uint32_t room = depth() - count_;
    return arriving > room ? arriving - room : 0;
  }
  bool empty() const { return count_ == 0; }
  uint32_t dropped() const { return dropped_; }
  Tuple head() const { return count_ != 0 ? store_[first_] : Tuple{}; }

  /// The edge alone, on data that stays where it is.
  void advance(bool ready, const bool* valid, const Tuple* tuple);
  /// Takes the head when nothing arrives: the edge of a cycle without valid lanes.
  void pop();
  void clear();

 private:
  uint32_t depth() const { return static_cast<uint32_t>(store_.size()); }

  unsigned lanes_;
  std::vector<Tuple> store_;
  uint32_t first_ = 0;
  uint32_t count_ = 0;
  uint32_t dropped_ = 0;
};

}  // namespace strobe::profiling
