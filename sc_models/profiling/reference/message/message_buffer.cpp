#include "sc_models/profiling/reference/message/message_buffer.h"

#include <algorithm>

#include "sc_models/profiling/reference/common/check.h"

namespace strobe::profiling {

MessageBuffer::MessageBuffer(unsigned depth) {
  check_power_of_two("MessageBuffer: depth", depth, 2, 4096);
  messages_.resize(depth);
}

MessageBuffer::Outputs MessageBuffer::step(const Inputs& inputs) {
  const Outputs now = outputs();
  if (inputs.clear) {
    clear();
  } else {
    advance(inputs.valid ? &inputs.message : nullptr, inputs.pop);
  }
  return now;
}

void MessageBuffer::advance(const Message* message, bool pop) {
  if (message == nullptr && level_ == 0) return;
  const uint32_t mask = static_cast<uint32_t>(messages_.size()) - 1;
  const bool push = message != nullptr && ready();  // a pop in this cycle makes no room
  if (push) messages_[(first_ + level_) & mask] = *message;
  const bool leaves = pop && head_;
  const bool head_advances = !head_ || leaves;
  const bool stored = in_store() != 0;
  if (leaves) {
    first_ = (first_ + 1) & mask;
    --level_;
  }
  const bool next_advances = !next_ || head_advances;
  if (head_advances) head_ = next_;
  if (next_advances) next_ = stored;
  if (push) ++level_;
  high_water_ = std::max(high_water_, level_);
}

void MessageBuffer::clear() {
  first_ = 0;
  level_ = 0;
  head_ = next_ = false;
  high_water_ = 0;
}

}  // namespace strobe::profiling
