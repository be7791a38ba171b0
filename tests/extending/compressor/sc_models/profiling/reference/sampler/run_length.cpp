#include "sc_models/profiling/reference/sampler/run_length.h"

namespace strobe::profiling {

std::optional<Message> RunLengthCounters::count(const Tuple& tuple, const CompressorRates& rates) {
  std::optional<Message>& run = runs_[(tuple.pc >> index_shift_) % runs_.size()];
  if (run && !(run->tuple == tuple)) {
    const Message ended = *run;
    run = Message{tuple, 1};
    return ended;
  }
  const uint32_t count = run ? run->count + 1 : 1;
  if (count >= limit_ || count >= rates.settings.longest_run) {
    run.reset();
    return Message{tuple, count};
  }
  run = Message{tuple, count};
  return std::nullopt;
}

void RunLengthCounters::read_out(std::vector<Message>& messages) const {
  for (const std::optional<Message>& run : runs_) {
    if (run) messages.push_back(*run);
  }
}

uint64_t RunLengthCounters::residue() const {
  uint64_t sum = 0;
  for (const std::optional<Message>& run : runs_) sum += run ? run->count : 0;
  return sum;
}

RunLength::Outputs RunLength::step(const Inputs& inputs) {
  const Outputs now{ready(inputs.msg_ready), msg_valid(), message_.value_or(Message{}), idle(),
                    table(inputs.table_index)};
  if (inputs.clear) {
    clear(0);
  } else {
    const bool taken = inputs.valid && now.ready;
    advance(TupleGroup::of(taken ? &inputs.tuple : nullptr), inputs.rates, inputs.msg_ready,
            inputs.table_index);
  }
  return now;
}

void RunLength::advance(const TupleGroup& group, const CompressorRates& rates, bool msg_ready,
                        uint32_t table_index) {
  table_ = counters_.run(table_index);
  if (!ready(msg_ready)) return;
  message_.reset();
  if (group.count != 0) message_ = counters_.count(*group.only(), rates);
}

void RunLength::clear(uint64_t /*seed*/) {
  counters_.clear();
  message_.reset();
  table_.reset();
}

}  // namespace strobe::profiling
