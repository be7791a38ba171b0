// The tuple queue, cycle by cycle. docs/blocks/tuple_queue.md
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sc_models/port/retire.h"
#include "sc_models/port/tuple.h"

namespace strobe::profiling {

/// Tuples that leave a queue together, the oldest first; valid until the queue's next edge.
struct TupleGroup {
  std::array<const Tuple*, kMaxRetireWidth> tuple;  // the first `count` are set
  unsigned count = 0;

  /// A group of one tuple, or an empty one for nullptr.
  static TupleGroup of(const Tuple* tuple) {
    TupleGroup group;
    if (tuple != nullptr) group.tuple[group.count++] = tuple;
    return group;
  }
  /// The tuple of a group of at most one; nullptr for an empty group.
  const Tuple* only() const { return count == 0 ? nullptr : tuple[0]; }
};

/// Stores the valid tuples of a cycle as one row, gives one tuple or the rest of a row a cycle, and
/// counts the tuples that it drops because it is full.
class TupleQueue {
 public:
  struct Inputs {
    bool clear = false;
    bool ready = false;  // the head is taken
    bool valid[kMaxRetireWidth] = {};
    Tuple tuple[kMaxRetireWidth];
  };
  struct Outputs {  // from state
    bool valid[kMaxRetireWidth] = {};
    Tuple head[kMaxRetireWidth];  // in its lane's place; with one head, in place 0
    bool empty = true;
    bool arrived[kMaxRetireWidth] = {};  // lanes that were valid in the cycle before
    bool drop = false;                   // those were dropped
    uint32_t dropped = 0;
  };
  /// @param lanes  1 to 8
  /// @param depth  tuples in the store, a power of two from two rows to 1024
  /// @param heads  tuples that can leave in a cycle, 1 or `lanes`
  /// Throws std::invalid_argument for a parameter out of range.
  TupleQueue(unsigned lanes, unsigned depth, unsigned heads = 1);

  /// One clock cycle: gives the outputs, then takes the edge.
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
  /// Number of lanes that were valid in the cycle before.
  uint32_t arrived() const { return number_of(arrived_); }
  bool drop() const { return drop_; }
  uint32_t dropped() const { return dropped_; }  // counts up to the cycle before the last
  /// Number of tuples in it.
  uint32_t level() const {
    uint32_t level = number_of(head_.lanes) + number_of(front_.lanes);
    for (uint32_t k = 0; k < stored_; ++k) level += number_of(lanes_of_[slot(k)]);
    return level;
  }
  /// Number of rows that the store can hold.
  uint32_t rows() const { return rows_; }

  /// The edge alone, without copies of its arguments.
  void advance(bool ready, const bool* valid, const Tuple* tuple);
  /// The edge of a cycle in which no lane is valid.
  void advance(bool ready) {
    if (!empty()) move(ready);
    arrived_ = 0;
    drop_ = false;
  }
  void clear();

  /// Fills an empty queue as if it had been stepped. put() adds a tuple, the oldest first, in a new
  /// row or in the row of the tuple before; place() then says whether a row is at the head, whether
  /// the next one is in the front, and whether the last one has just arrived.
  void put(const Tuple& tuple, bool new_row);
  void place(bool head, bool front, bool arrived);

 private:
  using LaneMask = uint8_t;  // bit k is lane k
  struct Part {              // a part of a row
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
  /// The slot of the row `number` places after the oldest row of the store.
  uint32_t slot(uint32_t number) const {
    const uint32_t sum = next_ + number;
    const auto slots = static_cast<uint32_t>(lanes_of_.size());
    return sum < slots ? sum : sum - slots;
  }

  unsigned lanes_;
  unsigned heads_;
  uint32_t rows_;
  // Tuples keep their place until they leave, in a ring of slots: one for each row of the store,
  // one for the front and one for the head.
  std::vector<Tuple> tuples_;       // one for each lane of each slot
  std::vector<LaneMask> lanes_of_;  // the valid lanes of each slot
  Part head_, front_;
  uint32_t next_ = 0;    // slot of the store's oldest row
  uint32_t stored_ = 0;  // number of its rows
  LaneMask arrived_ = 0;
  bool drop_ = false;
  uint32_t dropped_ = 0;
};

}  // namespace strobe::profiling
