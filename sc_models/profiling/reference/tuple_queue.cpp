#include "sc_models/profiling/reference/tuple_queue.h"

#include "sc_models/profiling/reference/check.h"

namespace strobe::profiling {

TupleQueue::TupleQueue(unsigned lanes, unsigned depth, unsigned heads)
    : lanes_(lanes), heads_(heads) {
  check_range("TupleQueue: lanes", lanes, 1, kMaxRetireWidth);
  check_power_of_two("TupleQueue: depth", depth, lanes, 1024);
  check_range("TupleQueue: heads", heads, 1, lanes);
  store_.resize(depth);
}

TupleQueue::Outputs TupleQueue::outputs() const {
  Outputs now;
  for (uint32_t k = 0; k < offered(); ++k) {
    now.valid[k] = true;
    now.head[k] = head(k);
  }
  now.count = count_;
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
  const uint32_t mask = depth() - 1;
  const uint32_t room = depth() - count_;  // a pop in this cycle does not make room
  uint32_t inserted = 0;
  uint32_t lost = 0;
  for (unsigned k = 0; k < lanes_; ++k) {
    if (!valid[k]) continue;
    if (inserted < room) {
      store_[(first_ + count_ + inserted) & mask] = tuple[k];
      ++inserted;
    } else {
      ++lost;
    }
  }
  wait();
  if (ready && count_ != 0) pop();
  count_ += inserted;
  lost_ = lost;
}

void TupleQueue::pop() {
  wait();
  const uint32_t taken = offered();
  first_ = (first_ + taken) & (depth() - 1);
  count_ -= taken;
}

void TupleQueue::clear() {
  first_ = 0;
  count_ = 0;
  lost_ = 0;
  dropped_ = 0;
}

}  // namespace strobe::profiling
