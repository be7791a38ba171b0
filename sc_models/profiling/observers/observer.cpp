#include "sc_models/profiling/observers/observer.h"

#include <stdexcept>
#include <string>

#include "sc_models/profiling/reference/common/check.h"

namespace strobe::profiling {

Observer::Observer(const PathParams& params, const CompressorRates& rates, const Seeds& seeds)
    : first_(make_first_level(params, rates, seeds)) {
  // The observers of a run share its tuples, which are whole.
  check_range("observer: pc_width", params.pc_width, 64, 64);
  check_range("observer: value_width", params.value_width, 64, 64);
  if (params.second_entries == 0) return;
  second_.emplace(params.second_entries, params.second_width);
}

void Observer::observe(TupleBatch& batch, Observed& observed) {
  if (batch.first() != events_) {
    throw std::logic_error("an observer of " + std::to_string(events_) + " tuples cannot watch a " +
                           "stream from tuple " + std::to_string(batch.first()) +
                           " on: expected every observer from the beginning of the stream");
  }
  events_ += batch.size();
  const size_t before = observed.samples.size() + observed.messages.size();
  if (second_) {
    between_.clear();
    first_->sample(batch, between_);
    const auto count = [&](const Tuple& tuple, uint32_t n) {
      if (const auto due = second_->update(tuple, n)) observed.messages.push_back(*due);
    };
    for (const Sample& sample : between_.samples) count(batch.begin()[sample.at], sample.count);
    for (const Message& message : between_.messages) count(message.tuple, message.count);
  } else {
    first_->sample(batch, observed);
  }
  messages_ += observed.samples.size() + observed.messages.size() - before;
}

void Observer::observe(TupleBatch& batch, std::vector<Message>& messages) {
  Observed observed;
  observe(batch, observed);
  for (const Sample& sample : observed.samples) {
    messages.push_back(Message{batch.begin()[sample.at], sample.count});
  }
  messages.insert(messages.end(), observed.messages.begin(), observed.messages.end());
}

void Observer::observe(const Tuple* tuples, size_t count, std::vector<Message>& messages) {
  own_.set(tuples, count);
  observe(own_, messages);
}

void Observer::drain(std::vector<Message>& messages) {
  const size_t before = messages.size();
  first_->read_out(messages);
  if (second_) second_->read_out(messages);
  messages_ += messages.size() - before;
}

}  // namespace strobe::profiling
