#include "sc_models/profiling/reference/tuple_queue.h"

#include "sc_models/profiling/reference/check.h"
#include "sc_models/profiling/reference/saturate.h"

namespace strobe::profiling {

TupleQueue::TupleQueue(unsigned lanes, unsigned depth) : lanes_(lanes) {
  check_range("TupleQueue: lanes", lanes, 1, kMaxRetireWidth);
  check_power_of_two("TupleQueue: depth", depth, lanes, 1024);
  store_.resize(depth);
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
  if (ready && count_ != 0) pop();
  count_ += inserted;
  dropped_ = saturating_add(dropped_, lost);
}

void TupleQueue::pop() {
  first_ = (first_ + 1) & (depth() - 1);
  --count_;
}

void TupleQueue::clear() {
  first_ = 0;
  count_ = 0;
  dropped_ = 0;
}

}  // namespace strobe::profiling
