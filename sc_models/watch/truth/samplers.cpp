#include "sc_models/watch/truth/samplers.h"

namespace strobe::truth {

using platform::kCycleParts;
using platform::TimeSampler;

std::array<uint64_t, platform::kTimeSamplers> sampler_storage_bits(const core::CoreParams& params) {
  constexpr uint64_t kAddress = 64, kPending = 1;
  // A tag goes with each instruction in flight. The last instruction that committed stays known,
  // with three bits for what it did to the pipeline; a sample has an address a lane, each with a
  // valid bit.
  constexpr uint64_t kCauses = 3;
  const uint64_t lanes = params.commit_width;
  return {0, kAddress + kPending + params.rob, kAddress + kPending,
          kAddress + kCauses + lanes * (kAddress + 1) + kPending};
}

Samplers::Samplers(const core::ReorderBuffer& rob, uint64_t period, uint64_t seed)
    : rob_(rob),
      clocks_{SampleClock(period, seed), SampleClock(period, seed), SampleClock(period, seed),
              SampleClock(period, seed)} {}

void Samplers::begin(uint64_t cycle) {
  for (SampleClock& clock : clocks_) clock.begin(cycle);
}

void Samplers::cycle(uint64_t cycle, unsigned count) {
  interrupt(cycle);
  const uint64_t first = rob_.head() - count;
  for (unsigned i = 0; i < count; ++i) show(rob_.record(first + i), first + i);
  SampleClock& next_commit = clock(TimeSampler::kNextCommit);
  for (; count != 0 && next_commit.next() <= cycle; next_commit.advance()) {
    credit(TimeSampler::kNextCommit, rob_.record(first), kCycleParts);
  }
}

void Samplers::attribute(const RetireRecord& record, uint64_t from, uint64_t cycles,
                         uint64_t parts) {
  SampleClock& time = clock(TimeSampler::kTimeProportional);
  while (time.next() < from + cycles) {
    credit(TimeSampler::kTimeProportional, record, parts);
    owed_ -= parts;
    if (owed_ != 0) return;  // to the others that commit in this cycle
    owed_ = kCycleParts;
    time.advance();
  }
}

/// What has not been executed when `cycle` is shown is decoded in it or later: the interrupt of
/// this cycle comes before that.
void Samplers::interrupt(uint64_t cycle) {
  SampleClock& timer = clock(TimeSampler::kTimer);
  for (; timer.next() <= cycle; timer.advance()) {
    if (waiting_.empty() || waiting_.back().number != rob_.placed()) {
      waiting_.push_back({rob_.placed(), 0});
    }
    ++waiting_.back().samples;
  }
}

/// The instruction with this number commits.
void Samplers::show(const RetireRecord& record, uint64_t number) {
  for (; !waiting_.empty() && waiting_.front().number <= number; waiting_.pop_front()) {
    credit(TimeSampler::kTimer, record, waiting_.front().samples * kCycleParts);
  }
  SampleClock& dispatch = clock(TimeSampler::kDispatch);
  for (; dispatch.next() <= rob_.renamed(number); dispatch.advance()) {
    credit(TimeSampler::kDispatch, record, kCycleParts);
  }
}

void Samplers::credit(TimeSampler sampler, const RetireRecord& record, uint64_t parts) {
  const bool machine = record.mode == PrivilegeMode::kMachine;
  (machine ? machine_ : program_[record.pc_rdata])[static_cast<size_t>(sampler)] += parts;
}

}  // namespace strobe::truth
