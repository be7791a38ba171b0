// The tuple queue: the tuples of a cycle in as a row, one or a group a cycle out; drops and counts
// what it cannot hold. docs/blocks/tuple_queue.md
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sc_models/port/retire.h"
#include "sc_models/port/tuple.h"

namespace strobe::profiling {

/// Tuples that leave a queue together, the oldest first; good until the queue's next edge.
struct TupleGroup {
  std::array<const Tuple*, kMaxRetireWidth> tuple;  // the first `count`
  unsigned count = 0;

  /// Of one tuple, or none: nullptr.
  static TupleGroup of(const Tuple* tuple) {
    TupleGroup group;
    if (tuple != nullptr) group.tuple[group.count++] = tuple;
    return group;
  }
  const Tuple* only() const { return count == 0 ? nullptr : tuple[0]; }
};

class TupleQueue {
 public:
  struct Inputs {
    bool clear = false;
    bool ready = false;  // whoever takes the head is ready
    bool valid[kMaxRetireWidth] = {};
    Tuple tuple[kMaxRetireWidth];
  };
  struct Outputs {  // all from state
    bool valid[kMaxRetireWidth] = {};
    Tuple head[kMaxRetireWidth];  // in its lane's place; the only one of a single head in place 0
    bool empty = true;
    bool arrived[kMaxRetireWidth] = {};  // lanes of the cycle before
    bool drop = false;                   // those were dropped
    uint32_t dropped = 0;
  };
  /// @param lanes  1 to 8
  /// @param depth  a power of two, two rows to 1024
  /// @param heads  1 or `lanes`. Throws std::invalid_argument outside.
  TupleQueue(unsigned lanes, unsigned depth, unsigned heads = 1);

  Outputs step(const Inputs& inputs);
  Outputs outputs() const;

  bool empty() const { return stored_ == 0 && front_.lanes == 0 && head_.lanes == 0; }
  /// The head's tuples in the order of their lanes.
  TupleGroup group() const {
    TupleGroup group;
    const Tuple* const row = tuples_of(head_.row);
    for (unsigned lanes = head_.lanes, k = 0; lanes != 0; lanes >>= 1, ++k) {
      if ((lanes & 1) != 0) group.tuple[group.count++] = row + k;
    }
    return group;
  }
  /// How many lanes were valid in the cycle before.
  uint32_t arrived() const { return number_of(arrived_); }
  bool drop() const { return drop_; }
  uint32_t dropped() const { return dropped_; }  // up to the cycle before the last
  /// That the store can hold.
  uint32_t rows() const { return rows_; }

  /// The edge alone, on data that stays where it is.
  void advance(bool ready, const bool* valid, const Tuple* tuple);
  /// The edge of a cycle in which no lane is valid.
  void advance(bool ready) {
    if (!empty()) move(ready);
    arrived_ = 0;
    drop_ = false;
  }
  void clear();

  /// For one who knows what is held without having stepped: into an empty queue goes each tuple,
  /// the oldest first, in a row of its own or that of the one before; then place() says whether one
  /// is at the head, whether the next is in the front, and whether the last row has just arrived.
  void put(const Tuple& tuple, bool new_row);
  void place(bool head, bool front, bool arrived);

 private:
  using LaneMask = uint8_t;  // bit k is lane k
  struct Part {              // of a row
    uint32_t row = 0;
    LaneMask lanes = 0;
  };

  static uint32_t number_of(LaneMask lanes) {
    return static_cast<uint32_t>(__builtin_popcount(lanes));
  }
  void move(bool ready);
  void move_head();
  void next_to_front();
  const Tuple* tuples_of(uint32_t row) const { return &tuples_[row * lanes_]; }
  /// The slot `number` behind the oldest row of the store.
  uint32_t slot(uint32_t number) const {
    const uint32_t sum = next_ + number;
    const auto slots = static_cast<uint32_t>(lanes_of_.size());
    return sum < slots ? sum : sum - slots;
  }

  unsigned lanes_;
  unsigned heads_;
  uint32_t rows_;
  // Tuples stay where they came in until they leave: a ring with a slot for each row of the store,
  // that of the front and that of the head.
  std::vector<Tuple> tuples_;       // of slots, one a lane
  std::vector<LaneMask> lanes_of_;  // valid ones of slots
  Part head_, front_;
  uint32_t next_ = 0;    // slot of the store's oldest row
  uint32_t stored_ = 0;  // its rows
  LaneMask arrived_ = 0;
  bool drop_ = false;
  uint32_t dropped_ = 0;
};

}  // namespace strobe::profiling
