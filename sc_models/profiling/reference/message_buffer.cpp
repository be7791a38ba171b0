#include "sc_models/profiling/reference/message_buffer.h"

#include <algorithm>

#include "sc_models/profiling/reference/check.h"

namespace strobe::profiling {

MessageBuffer::MessageBuffer(unsigned depth) {
  check_power_of_two("MessageBuffer: depth", depth, 2, 4096);
  store_.resize(depth);
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
  const uint32_t mask = static_cast<uint32_t>(store_.size()) - 1;
  const bool push = message != nullptr && ready();  // a pop in this cycle does not make room
  if (push) store_[(first_ + level_) & mask] = *message;
  if (pop && level_ != 0) {
    first_ = (first_ + 1) & mask;
    --level_;
  }
  if (push) ++level_;
  high_water_ = std::max(high_water_, level_);
}

void MessageBuffer::clear() {
  first_ = 0;
  level_ = 0;
  high_water_ = 0;
}

}  // namespace strobe::profiling
