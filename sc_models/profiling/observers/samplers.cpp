#include "sc_models/profiling/observers/samplers.h"

#include <optional>
#include <string>

#include "sc_models/profiling/reference/check.h"

namespace strobe::profiling {
namespace {

uint32_t checked_period(const std::string& kind, const ObserverParams& params, uint64_t maximum) {
  check_range(kind + " sampler: period", params.period, 1, maximum);
  return static_cast<uint32_t>(params.period);
}

uint64_t splitmix64(uint64_t seed) {
  uint64_t z = seed + 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
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

void RandomSampler::sample(const Tuple* tuples, size_t count, std::vector<Message>& messages) {
  for (size_t i = 0; i < count; ++i) {
    if (random_.next() <= threshold_) messages.push_back(Message{tuples[i], period_});
  }
}

PeriodicSampler::PeriodicSampler(const ObserverParams& params)
    : period_(checked_period("periodic", params, UINT32_MAX)) {}

uint64_t PeriodicSampler::storage_bits() const {
  uint64_t bits = 0;
  while ((uint64_t{1} << bits) < period_) ++bits;
  return bits;
}

void PeriodicSampler::sample(const Tuple* tuples, size_t count, std::vector<Message>& messages) {
  // Straight to the tuples that are due: nothing happens at the others.
  size_t next = period_ - counter_ - 1;
  size_t counted = 0;
  for (; next < count; next += period_) {
    messages.push_back(Message{tuples[next], period_});
    counted = next + 1;
    counter_ = 0;
  }
  counter_ += static_cast<uint32_t>(count - counted);
}

StratifiedObserver::StratifiedObserver(const ObserverParams& params)
    : period_(checked_period("stratified", params, uint64_t{1} << checked_counter_width(params))),
      counter_width_(params.counter_width),
      counters_({SamplerKind::kPeriodic, HashKind::kPaper, params.strata, params.counter_width}) {}

void StratifiedObserver::sample(const Tuple* tuples, size_t count, std::vector<Message>& messages) {
  for (size_t i = 0; i < count; ++i) {
    const std::optional<Message> message =
        counters_.update(tuples[i], SamplingRate{period_}, Draw{});
    if (message) messages.push_back(*message);
  }
}

}  // namespace strobe::profiling
