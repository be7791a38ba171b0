#include "sc_models/profiling/observers/observer.h"

#include "sc_models/profiling/reference/check.h"

namespace strobe::profiling {

Observer::Observer(const PathParams& params, const CompressorRates& rates, uint64_t seed)
    : first_(make_first_level(params, rates, seed)) {
  if (params.second_entries == 0) return;
  check_range("observer: second_width", params.second_width, params.counter_width + 1, 24);
  second_.emplace(params.second_entries, params.second_width);
}

void Observer::observe(TupleBatch& batch, std::vector<Message>& messages) {
  const size_t before = messages.size();
  if (second_) {
    between_.clear();
    first_->sample(batch, between_);
    for (const Message& message : between_) {
      if (const auto due = second_->update(message.tuple, message.count)) messages.push_back(*due);
    }
  } else {
    first_->sample(batch, messages);
  }
  events_ += batch.size();
  messages_ += messages.size() - before;
}

void Observer::drain(std::vector<Message>& messages) {
  const size_t before = messages.size();
  first_->read_out(messages);
  if (second_) second_->read_out(messages);
  messages_ += messages.size() - before;
}

}  // namespace strobe::profiling
