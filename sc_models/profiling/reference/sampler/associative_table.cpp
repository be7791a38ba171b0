#include "sc_models/profiling/reference/sampler/associative_table.h"

#include <utility>

#include "sc_models/profiling/reference/common/check.h"

namespace strobe::profiling {

AssociativeTable::AssociativeTable(unsigned entries, unsigned count_width, unsigned in_count_width)
    : counters_(entries, count_width), max_count_((1u << (in_count_width & 31)) - 1) {
  check_range("AssociativeTable: in_count_width", in_count_width, 1, count_width);
}

AssociativeTable::Outputs AssociativeTable::step(const Inputs& inputs) {
  check_range("AssociativeTable: count", inputs.in.count, 0, max_count_);
  const Outputs now = outputs();
  if (inputs.clear) {
    clear();
  } else {
    advance(inputs.valid ? &inputs.in : nullptr, inputs.msg_ready, inputs.table_index);
  }
  return now;
}

AssociativeTable::Outputs AssociativeTable::outputs() const {
  return Outputs{ready(), message_.has_value(), message_.value_or(Message{}),
                 idle(),  table_.has_value(),   table_.value_or(Message{})};
}

void AssociativeTable::advance(const Message* in, bool msg_ready, uint32_t table_index) {
  if (!ready()) in = nullptr;
  if (in != nullptr) ++in_flight_;
  if (message_ && !msg_ready) {
    if (in != nullptr) spare_ = *in;
    return;
  }
  if (in == nullptr && idle()) {
    table_ = counters_.entry(table_index % counters_.entries());
    return;
  }
  message_.reset();
  if (stages_[2]) {
    message_ = counters_.update(stages_[2]->tuple, stages_[2]->count);
    --in_flight_;
  }
  stages_[2] = stages_[1];
  stages_[1] = stages_[0];
  stages_[0] = std::exchange(spare_, std::nullopt);
  if (in != nullptr) stages_[0] = *in;
}

void AssociativeTable::clear() {
  counters_.clear();
  spare_.reset();
  stages_.fill(std::nullopt);
  in_flight_ = 0;
  message_.reset();
  table_.reset();
}

}  // namespace strobe::profiling
