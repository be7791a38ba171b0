#include "sc_models/profiling/reference/selection/tuple_queue.h"

#include <stdexcept>
#include <string>

#include "sc_models/port/path_params.h"
#include "sc_models/profiling/reference/common/check.h"
#include "sc_models/profiling/reference/common/saturate.h"

namespace strobe::profiling {

TupleQueue::TupleQueue(unsigned lanes, unsigned depth, unsigned heads)
    : lanes_(lanes), heads_(heads) {
  check_range("TupleQueue: lanes", lanes, 1, kMaxRetireWidth);
  check_power_of_two("TupleQueue: depth", depth, two_rows(lanes), 1024);
  if (heads != 1 && heads != lanes) {
    throw std::invalid_argument("TupleQueue: heads: expected 1 or " + std::to_string(lanes) +
                                ", got " + std::to_string(heads));
  }
  rows_ = 2 * depth / two_rows(lanes);
  lanes_of_.resize(rows_ + 2);
  tuples_.resize(lanes_of_.size() * lanes_);
}

TupleQueue::Outputs TupleQueue::outputs() const {
  Outputs now;
  const Tuple* const row = tuples_of(head_.row);
  for (unsigned k = 0; k < lanes_; ++k) {
    now.arrived[k] = (arrived_ >> k & 1) != 0;
    if ((head_.lanes >> k & 1) == 0) continue;
    const unsigned place = heads_ == 1 ? 0 : k;
    now.valid[place] = true;
    now.head[place] = row[k];
  }
  now.empty = empty();
  now.drop = drop_;
  now.dropped = dropped_;
  return now;
}

TupleQueue::Outputs TupleQueue::step(const Inputs& inputs) {
  const Outputs now = outputs();
  if (inputs.clear) {
    clear();
  } else {
    advance(inputs.ready, inputs.valid, inputs.tuple);
  }
  return now;
}

void TupleQueue::advance(bool ready, const bool* valid, const Tuple* tuple) {
  const bool full = stored_ == rows_;  // the row that the front takes makes no room
  move(ready);
  unsigned arrived = 0;
  const uint32_t row = slot(stored_);
  for (unsigned k = 0; k < lanes_; ++k) {
    if (!valid[k]) continue;
    arrived |= 1u << k;
    if (!full) tuples_[row * lanes_ + k] = tuple[k];
  }
  arrived_ = static_cast<LaneMask>(arrived);
  drop_ = full && arrived != 0;
  if (full || arrived == 0) return;
  lanes_of_[row] = arrived_;
  ++stored_;
}

/// The edge of head, front and `dropped`, before the row of this cycle.
void TupleQueue::move(bool ready) {
  if (drop_) dropped_ = saturating_add(dropped_, arrived());
  // The front does not take a row that arrived in the cycle before.
  const uint32_t too_young = arrived_ != 0 && !drop_ ? 1 : 0;
  if (ready || head_.lanes == 0) move_head();
  if (front_.lanes == 0 && stored_ > too_young) next_to_front();
}

void TupleQueue::move_head() {
  const auto lowest = static_cast<LaneMask>(front_.lanes & -front_.lanes);
  head_ = {front_.row, heads_ == 1 ? lowest : front_.lanes};
  front_.lanes = static_cast<LaneMask>(front_.lanes & ~head_.lanes);
}

void TupleQueue::next_to_front() {
  front_ = {next_, lanes_of_[next_]};
  next_ = slot(1);
  --stored_;
}

void TupleQueue::clear() {
  head_ = front_ = Part();
  next_ = stored_ = 0;
  arrived_ = 0;
  drop_ = false;
  dropped_ = 0;
}

void TupleQueue::put(const Tuple& tuple, bool new_row) {
  if (new_row) lanes_of_[slot(stored_++)] = 0;
  const uint32_t row = slot(stored_ - 1);
  const uint32_t lane = number_of(lanes_of_[row]);
  tuples_[row * lanes_ + lane] = tuple;
  lanes_of_[row] = static_cast<LaneMask>(lanes_of_[row] | 1u << lane);
}

void TupleQueue::place(bool head, bool front, bool arrived) {
  if (head) {
    next_to_front();
    move_head();
  }
  if (front && front_.lanes == 0) next_to_front();
  if (arrived) arrived_ = lanes_of_[slot(stored_ - 1)];
}

}  // namespace strobe::profiling
