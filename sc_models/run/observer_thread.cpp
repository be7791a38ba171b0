#include "sc_models/run/observer_thread.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "sc_models/isa/decode/csr.h"
#include "sc_models/port/address_map.h"
#include "sc_models/port/region_marker.h"

namespace strobe::platform {
namespace {

constexpr unsigned kInstret = 2;  // the counter's number
constexpr uint64_t kFirstCounter = STROBE_COUNTERS_BASE + 8 * isa::kFirstHpmCounter;

bool is_smt(const config::RunConfig& configuration) {
  return configuration.shim.where == config::ObserverPlace::kSmt;
}

ObservedSum since(const strobe_observer_sum_t& now, const strobe_observer_sum_t& before) {
  return {now.samples - before.samples,
          now.cycles - before.cycles,
          {now.count[0] - before.count[0], now.count[1] - before.count[1]}};
}

}  // namespace

ObserverThread::ObserverThread(System& system, isa::GuestMemory& memory,
                               const config::RunConfig& configuration, const isa::ElfFile& program)
    : core_(system.core(is_smt(configuration) ? 0 : 1)),
      hart_(core_.thread(is_smt(configuration) ? 1 : 0)),
      memory_(memory),
      shim_(configuration.shim),
      image_(memory, configuration, program),
      truth_(image_.tag_address(), image_.tag_bytes(), STROBE_OBSERVER_TAGS) {
  hart_.set_retire_sink(this);
  hart_.hart().state().pc = image_.start_pc();
  if (!is_smt(configuration)) {
    core_.restart();
    core_.start({});
    return;
  }
  if (shim_.priority == config::ObserverPriority::kLow) hart_.set_low_priority(true);
  core_.restart(1);
}

/// What the program had of a configured counter: with two counters for each, the core's less the
/// observer's.
uint64_t ObserverThread::count(const strobe_observer_sample_t& sample, size_t counter) const {
  if (!image_.has_own_counters()) return sample.counter[counter];
  return sample.counter[2 * counter] - sample.counter[2 * counter + 1];
}

RetireInterest ObserverThread::interest() const {
  constexpr auto kKinds =
      class_bit(OpClass::kAlu) | class_bit(OpClass::kLoad) | class_bit(OpClass::kSystem);
  return {RetireKinds(0, kKinds)};
}

RetireInterest ObserverThread::retire(uint64_t cycle, const RetireRecord* /*lanes*/,
                                      unsigned /*count*/, const RetireRecord* const* picked,
                                      unsigned picks) {
  for (unsigned i = 0; i < picks; ++i) {
    const RetireRecord& done = *picked[i];
    if (done.insn == marker_insn(STROBE_OBSERVER_SAMPLE)) {
      take_sample(cycle);
    } else if (done.insn >> 20 == isa::kCsrMhpmcounter3 || done.mem_addr == kFirstCounter) {
      read_at_ = cycle;
    }
  }
  return interest();
}

void ObserverThread::take_sample(uint64_t cycle) {
  const strobe_observer_sample_t sample = image_.sample(taken_++);
  if (!in_region_ || sample.begin < begin_) return;
  if (buffer_.size() == shim_.samples) {
    ++dropped_;
    return;
  }
  ObservedSample out;
  out.begin = sample.begin - begin_;
  out.end = sample.end - begin_;
  for (size_t i = 0; i < shim_.counters.size(); ++i) out.counter[i] = count(sample, i);
  std::copy(std::begin(sample.signal), std::end(sample.signal), out.signal.begin());
  out.read_at = read_at_ - begin_;
  out.instructions = truth_.instructions_before(out.begin);
  out.marked = cycle - begin_;
  out.own = hart_.counter(kInstret) - own_before_;
  buffer_.push_back(out);
}

void ObserverThread::begin_region(uint64_t cycle) {
  begin_ = cycle;
  own_before_ = hart_.counter(kInstret);
  before_ = image_.block();
  uint64_t value = 0;
  if (image_.tag_bytes() != 0) memory_.read(image_.tag_address(), &value, image_.tag_bytes());
  truth_.begin(value);
  buffer_.clear();
  in_region_ = true;
}

ShimOutcome ObserverThread::end_region() {
  ShimOutcome outcome;
  in_region_ = false;
  outcome.observer_instructions = hart_.counter(kInstret) - own_before_;
  outcome.truth = truth_.by_value();
  const std::unique_ptr<strobe_observer_block_t> now = image_.block();
  outcome.busy = now->busy;
  if (shim_.analysis == config::ObserverAnalysis::kBuffer) {
    outcome.samples = buffer_.size() + dropped_;
    outcome.dropped = dropped_;
    outcome.buffer = std::move(buffer_);
  } else {
    analyzed(*now, outcome);
  }
  return outcome;
}

void ObserverThread::analyzed(const strobe_observer_block_t& now, ShimOutcome& outcome) const {
  outcome.other_tags = now.other_tags - before_->other_tags;
  outcome.other_rates = now.other_rates - before_->other_rates;
  outcome.kept = now.kept - before_->kept;
  outcome.samples = now.samples - before_->samples;
  for (unsigned i = 0; i < STROBE_OBSERVER_BUCKETS; ++i) {
    outcome.buckets.push_back(since(now.bucket[i], before_->bucket[i]));
  }
  for (uint64_t tag = 0; tag < STROBE_OBSERVER_TAGS; ++tag) {
    const ObservedSum sum = since(now.tag[tag], before_->tag[tag]);
    if (sum.samples != 0) outcome.tags[tag] = sum;
  }
}

void ObserverThread::expect_running() const {
  const bool smt = shim_.where == config::ObserverPlace::kSmt;
  if (smt ? core_.second_runs() : core_.running()) return;
  throw std::runtime_error(fmt::format("the observer thread stopped: {}\n{}",
                                       core::stop_name(smt ? core_.second_stop() : core_.finish()),
                                       core_.dump_state()));
}

}  // namespace strobe::platform
