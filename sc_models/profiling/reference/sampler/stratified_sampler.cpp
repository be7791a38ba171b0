#include "sc_models/profiling/reference/sampler/stratified_sampler.h"

#include "sc_models/profiling/reference/common/check.h"

namespace strobe::profiling {

StratifiedSampler::StratifiedSampler(const SamplerParams& params)
    : counters_(params), hash_stages_(params.hash) {
  check_range("StratifiedSampler: counter_width", params.counter_width, 1, 12);
}

StratifiedSampler::Outputs StratifiedSampler::step(const Inputs& inputs) {
  check_range("StratifiedSampler: period", inputs.rate.period, 0, counters_.params().max_period());
  const Outputs now = outputs(inputs.msg_ready);
  if (inputs.clear) {
    clear(inputs.seed);
  } else {
    advance(inputs.valid ? &inputs.tuple : nullptr, inputs.rate, inputs.msg_ready,
            inputs.table_index);
  }
  return now;
}

StratifiedSampler::Outputs StratifiedSampler::outputs(bool msg_ready) const {
  return Outputs{ready(msg_ready), message_valid_, message_, init_, idle(), table_data_};
}

void StratifiedSampler::advance_hash(const Tuple* tuple, const SamplingRate& rate, bool msg_ready,
                                     uint32_t table_index) {
  const bool counts = !init_ && (!message_valid_ || msg_ready);
  advance_strata(counts ? hash_stages_.out().only() : nullptr, rate, msg_ready, table_index);
  hash_stages_.advance(TupleGroup::of(tuple), counts);
}

void StratifiedSampler::advance(const Tuple* tuple, uint32_t stratum, const SamplingRate& rate,
                                bool msg_ready, uint32_t table_index) {
  if (init_) {
    initialize();
    return;
  }
  if (message_valid_ && !msg_ready) return;
  if (tuple == nullptr && strata_idle()) {
    advance_idle(table_index);
    return;
  }
  take_read();
  uint32_t count = 0;
  if (stage2_.valid) count = counters_.add(stage2_.index, rate, stage2_.draw);
  message_valid_ = count != 0;
  message_ = message_valid_ ? Message{stage2_.tuple, count} : Message{};
  stage2_ = stage1_;
  stage1_.valid = tuple != nullptr;
  if (tuple != nullptr) {
    stage1_.tuple = *tuple;
    stage1_.index = stratum & (counters_.entries() - 1);
    stage1_.draw = chance(rate);
  }
}

void StratifiedSampler::initialize() {
  counters_.zero(init_index_);
  if (++init_index_ == counters_.entries()) init_ = false;
}

void StratifiedSampler::clear(uint64_t seed) {
  hash_stages_.clear();
  stage1_.valid = false;
  stage2_.valid = false;
  message_valid_ = false;
  message_ = Message{};
  init_ = true;
  init_index_ = 0;
  read_valid_ = false;
  table_data_ = 0;
  lfsr_ = Lfsr(seed);
}

}  // namespace strobe::profiling
