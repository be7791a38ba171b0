#include "sc_models/profiling/observers/samplers.h"

#include <string>

#include "sc_models/profiling/observers/draw.h"
#include "sc_models/profiling/reference/check.h"

namespace strobe::profiling {
namespace {

uint32_t checked_period(const std::string& kind, const ObserverParams& params, uint64_t maximum) {
  check_range(kind + " sampler: period", params.period, 1, maximum);
  return static_cast<uint32_t>(params.period);
}

unsigned checked_counter_width(const ObserverParams& params) {
  check_range("stratified sampler: counter_width", params.counter_width, 1, 12);
  return params.counter_width;
}

}  // namespace

RandomSampler::RandomSampler(const ObserverParams& params)
    : period_(checked_period("random", params, UINT32_MAX)),
      threshold_(UINT64_MAX / period_),
      random_(splitmix64(params.seed)) {}

void RandomSampler::sample(TupleBatch& batch, std::vector<Message>& messages) {
  Xorshift64Star random = random_;  // in a register: `messages` might alias the member
  for (const Tuple& tuple : batch) {
    if (random.next() <= threshold_) messages.push_back(Message{tuple, period_});
  }
  random_ = random;
}

PeriodicSampler::PeriodicSampler(const ObserverParams& params)
    : period_(checked_period("periodic", params, UINT32_MAX)) {}

uint64_t PeriodicSampler::storage_bits() const {
  uint64_t bits = 0;
  while ((uint64_t{1} << bits) < period_) ++bits;
  return bits;
}

void PeriodicSampler::sample(TupleBatch& batch, std::vector<Message>& messages) {
  // Straight to the tuples that are due: nothing happens at the others.
  size_t next = period_ - counter_ - 1;
  size_t counted = 0;
  for (; next < batch.size(); next += period_) {
    messages.push_back(Message{batch.begin()[next], period_});
    counted = next + 1;
    counter_ = 0;
  }
  counter_ += static_cast<uint32_t>(batch.size() - counted);
}

StratifiedObserver::StratifiedObserver(const ObserverParams& params)
    : period_(checked_period("stratified", params, uint64_t{1} << checked_counter_width(params))),
      counter_width_(params.counter_width),
      counters_({SamplerKind::kPeriodic, HashKind::kPaper, params.strata, params.counter_width}) {}

void StratifiedObserver::sample(TupleBatch& batch, std::vector<Message>& messages) {
  const uint16_t* stratum = batch.strata(counters_.entries());
  for (const Tuple& tuple : batch) {
    const uint32_t count = counters_.add(*stratum++, SamplingRate{period_}, Draw{});
    if (count != 0) messages.push_back(Message{tuple, count});
  }
}

}  // namespace strobe::profiling
