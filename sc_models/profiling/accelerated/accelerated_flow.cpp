// The profiling path's stretches of free flow: what the blocks would do, tuple by tuple instead of
// cycle by cycle.
#include <algorithm>

#include "sc_models/profiling/accelerated/accelerated_path.h"

namespace strobe::profiling {

unsigned AcceleratedPath::absorb(uint64_t idle, const RetireRecord* const* picked, unsigned count) {
  if (flow_.on()) {
    flow_.pass(idle);
  } else {
    if (idle != 0) skip(idle);
    if (!begin_flow()) return 0;
  }
  if (!flow_.has_room(count)) {
    count_what_is_through();
    if (!flow_.has_room(count)) return 0;
  }
  for (unsigned k = 0; k < count; ++k) {
    const RetireRecord& record = *picked[k];
    if (record.trap != 0) continue;
    const SelectorSlot* slot = plan_->slot(record, -1);
    if (slot != nullptr) flow_.select(selector_.tuple_of(*slot, record));
  }
  flow_.pass(1);
  return std::max(flow_.cycles_left(), 1u);
}

// From a quiet path on, with one tuple a cycle into a plain sampler and no ring beside the buffer.
bool AcceleratedPath::begin_flow() {
  const RegisterBlock::Config& config = registers_.config();
  // An interrupt that has risen or fallen since the last step is for the next one to show.
  if (!quiet_ || !irq_is_settled() || registers_.irq() != shown_irq_ || !config.enable) {
    return false;
  }
  if (params_.ring != 0 || compressor_.only_sampler() == nullptr) return false;
  if (!plan_) plan_.emplace(std::vector(config.slots, config.slots + params_.selectors));
  if (plan_->marked()) return false;
  const uint32_t level = buffer_.level();
  uint32_t messages = params_.buffer_depth - level;
  if (config.watermark > level) messages = std::min(messages, config.watermark - level);
  flow_.begin(messages, queue_.rows() - 1);  // a tuple may have a row of its own
  buffer_seen_ = 0;
  return true;
}

void AcceleratedPath::count_what_is_through() {
  const RegisterBlock::Config& config = registers_.config();
  StratifiedSampler& sampler = *compressor_.only_sampler();
  const SamplingRate rate = config.rates.sampling;
  const uint32_t counted = flow_.count_through([&](const FreeFlow::Tagged& one, bool rested) {
    if (rested) sampler.rest(config.table_index);
    const uint32_t due = sampler.count(one.tuple, rate);
    if (due == 0) return false;
    const int64_t pushed = one.taken + FreeFlow::kMessage;
    buffer_.rest(static_cast<uint64_t>(pushed - buffer_seen_));
    const Message message{one.tuple, due};
    buffer_.advance(&message, false);
    buffer_seen_ = pushed + 1;
    return true;
  });
  registers_.count(counted, false, false);
}

// The tuples that are not in the sampler yet.
void AcceleratedPath::put_into_queue() {
  if (flow_.held() == 0) return;
  const int64_t now = flow_.now();
  const bool head = flow_.oldest().taken == now;
  bool front = false;
  int64_t row = -1;
  uint32_t just_arrived = 0, held = 0;
  for (; flow_.held() != 0; flow_.drop_oldest(), ++held) {
    const FreeFlow::Tagged& one = flow_.oldest();
    front |= one.taken == now + 1;
    just_arrived += one.selected == now - 1 ? 1 : 0;
    queue_.put(one.tuple, one.selected != row);
    row = one.selected;
  }
  queue_.place(head, front, just_arrived != 0);
  registers_.count(held - just_arrived, false, false);
}

// Puts the tuples where they would be: the sampler's stages, the queue's places.
void AcceleratedPath::end_flow() {
  count_what_is_through();
  const RegisterBlock::Config& config = registers_.config();
  StratifiedSampler& sampler = *compressor_.only_sampler();
  const int64_t now = flow_.now();
  uint32_t counted = 0;
  for (int64_t at = now - FreeFlow::kMessage; at < now; ++at) {
    TupleGroup group;
    if (flow_.held() != 0 && flow_.oldest().taken == at) {
      if (counted == 0 && flow_.rest_before(at) > 0) sampler.rest(config.table_index);
      group.tuple[group.count++] = &flow_.oldest().tuple;
      flow_.drop_oldest();
      ++counted;
    }
    if (counted != 0) compressor_.advance(group, config.rates, true, config.table_index);
  }
  if (counted == 0) {
    const int64_t rest = flow_.rest_before(now);
    if (rest == 1) compressor_.advance_idle(config.table_index);
    if (rest > 1) sampler.rest(config.table_index);
  }
  registers_.count(counted, false, false);
  put_into_queue();
  buffer_.rest(static_cast<uint64_t>(now - buffer_seen_));
  flow_.end();
  note_quiet();
}

}  // namespace strobe::profiling
