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

ObservedSum since(const strobe_observer_sum_t& now, const strobe_observer_sum_t& before) {
  return {now.samples - before.samples,
          now.cycles - before.cycles,
          {now.count[0] - before.count[0], now.count[1] - before.count[1]}};
}

}  // namespace

ObserverThread::ObserverThread(core::Core& core, isa::GuestMemory& memory,
                               const config::RunConfig& configuration, const isa::ElfFile& program)
    : core_(core),
      memory_(memory),
      shim_(configuration.shim),
      image_(memory, configuration, program),
      truth_(image_.tag_address(), image_.tag_bytes(), STROBE_OBSERVER_TAGS) {
  core_.set_retire_sink(this);
  core_.hart().state().pc = image_.start_pc();
  core_.restart();
  core_.start({});
}

RetireInterest ObserverThread::interest() const {
  constexpr auto kKinds =
      class_bit(OpClass::kAlu) | class_bit(OpClass::kLoad) | class_bit(OpClass::kSystem);
  return {RetireKinds(0, kKinds)};
}

void ObserverThread::retire(uint64_t cycle, const RetireRecord* /*lanes*/, unsigned /*count*/,
                            const RetireRecord* const* picked, unsigned picks) {
  for (unsigned i = 0; i < picks; ++i) {
    const RetireRecord& done = *picked[i];
    if (done.insn == marker_insn(STROBE_OBSERVER_SAMPLE)) {
      take_sample(cycle);
    } else if (done.insn >> 20 == isa::kCsrMhpmcounter3 || done.mem_addr == kFirstCounter) {
      read_at_ = cycle;
    }
  }
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
  std::copy(std::begin(sample.counter), std::end(sample.counter), out.counter.begin());
  std::copy(std::begin(sample.signal), std::end(sample.signal), out.signal.begin());
  out.read_at = read_at_ - begin_;
  out.instructions = truth_.instructions_before(out.begin);
  out.marked = cycle - begin_;
  out.own = core_.counter(kInstret) - own_before_;
  buffer_.push_back(out);
}

void ObserverThread::begin_region(uint64_t cycle) {
  begin_ = cycle;
  own_before_ = core_.counter(kInstret);
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
  outcome.observer_instructions = core_.counter(kInstret) - own_before_;
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
  if (core_.running()) return;
  throw std::runtime_error(fmt::format("the observer thread stopped: {}\n{}",
                                       core::stop_name(core_.finish()), core_.dump_state()));
}

}  // namespace strobe::platform
