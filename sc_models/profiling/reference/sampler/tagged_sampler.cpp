#include "sc_models/profiling/reference/sampler/tagged_sampler.h"

namespace strobe::profiling {

TaggedSampler::Outputs TaggedSampler::step(const Inputs& inputs) {
  const Outputs now = outputs(inputs.msg_ready);
  if (inputs.clear) {
    clear();
  } else {
    advance(inputs.valid ? &inputs.tuple : nullptr, inputs.thresholds, inputs.msg_ready,
            inputs.table_index);
  }
  return now;
}

TaggedSampler::Outputs TaggedSampler::outputs(bool msg_ready) const {
  return Outputs{ready(msg_ready), message_.has_value(), message_.value_or(Message{}), init_,
                 idle(),           table_data_};
}

void TaggedSampler::advance(const Tuple* tuple, const TaggedThresholds& thresholds, bool msg_ready,
                            uint32_t table_index) {
  if (!hash_stages_.has_stages()) {
    advance_sets(tuple, thresholds, msg_ready, table_index);
    return;
  }
  const bool counts = !init_ && (!message_ || msg_ready);
  advance_sets(counts ? hash_stages_.out().only() : nullptr, thresholds, msg_ready, table_index);
  hash_stages_.advance(TupleGroup::of(tuple), counts);
}

void TaggedSampler::advance_sets(const Tuple* tuple, const TaggedThresholds& thresholds,
                                 bool msg_ready, uint32_t table_index) {
  if (init_) {
    counters_.zero(init_set_);
    init_ = ++init_set_ != counters_.sets();
    return;
  }
  if (message_ && !msg_ready) return;
  if (read_) table_data_ = *read_;
  read_.reset();
  if (sets_idle() && tuple == nullptr) read_ = counters_.held(table_index);
  message_.reset();
  if (stage2_) message_ = counters_.update(*stage2_, thresholds);
  stage2_ = stage1_;
  stage1_.reset();
  if (tuple != nullptr) stage1_ = *tuple;
}

void TaggedSampler::clear() {
  hash_stages_.clear();
  stage1_.reset();
  stage2_.reset();
  message_.reset();
  init_ = true;
  init_set_ = 0;
  read_.reset();
  table_data_ = 0;
}

}  // namespace strobe::profiling
