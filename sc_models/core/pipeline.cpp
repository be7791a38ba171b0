// The pipeline as a whole: construction, the cycle, quiet stretches, restart, the state dump.
#include "sc_models/core/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace strobe::core {
namespace {

uint64_t ring_size(uint64_t at_least) {
  uint64_t size = 64;
  while (size < at_least) size *= 2;
  return size;
}

void require(bool good, const char* what) {
  if (!good) throw std::invalid_argument(fmt::format("core: {}", what));
}

void check(const CoreParams& p) {
  require(p.fetch_width > 0 && p.decode_width > 0 && p.issue_width > 0,
          "fetch_width, decode_width and issue_width must be at least 1");
  require(p.commit_width > 0 && p.commit_width <= kMaxRetireWidth, "commit_width must be 1 to 8");
  const auto line_like = [](unsigned bytes) { return bytes >= 4 && (bytes & (bytes - 1)) == 0; };
  require(line_like(p.fetch_block) && line_like(p.memory.l1i.line) && line_like(p.memory.l1d.line),
          "fetch_block and the lines of l1i and l1d must be powers of two, at least 4 bytes");
  require(p.front_end_stages >= 2, "front_end_stages must be at least 2");
  require(p.fetch_buffer >= p.fetch_width, "fetch_buffer must be at least fetch_width");
  require(p.rob > 0 && p.reservation_stations > 0 && p.load_queue > 0 && p.store_queue > 0,
          "rob, reservation_stations, load_queue and store_queue must be at least 1");
  require(p.watchdog_cycles > 0, "watchdog_cycles must be at least 1");
  for (const UnitParams* unit : {&p.alu, &p.mul, &p.div, &p.fp, &p.fp_div, &p.mem}) {
    require(unit->count > 0 && unit->latency > 0 && unit->interval > 0,
            "count, latency and interval of every unit must be at least 1");
  }
}

unsigned bits_of(unsigned power_of_two) {
  unsigned bits = 0;
  while (power_of_two >> bits != 1) ++bits;
  return bits;
}

const CoreParams& checked(const CoreParams& params) {
  check(params);
  return params;
}

}  // namespace

const char* stop_name(CoreStop stop) {
  switch (stop) {
    case CoreStop::kNone:
      return "running";
    case CoreStop::kHart:
      return "the hart stopped";
    case CoreStop::kUserLimit:
      return "the U-mode instruction limit was reached";
    case CoreStop::kCycleLimit:
      return "the cycle limit was reached";
    case CoreStop::kInstructionLimit:
      return "the instruction limit was reached";
    case CoreStop::kDeadlock:
      return "nothing committed for watchdog_cycles";
    case CoreStop::kCancelled:
      return "the run was cancelled";
    case CoreStop::kInterval:
      return "an interval of the statistics has ended";
  }
  return "unknown";
}

Pipeline::Pipeline(const CoreParams& params, isa::Hart& hart)
    : params_(checked(params)),
      hart_(hart),
      predictor_(params.predictor, params.fetch_buffer + params.rob),
      perfect_(predictor_.perfect()),
      fetch_block_bits_(bits_of(params.fetch_block)),
      instruction_line_bits_(bits_of(params.memory.l1i.line)),
      data_line_bits_(bits_of(params.memory.l1d.line)),
      run_table_(hart, fetch_block_bits_),
      runs_(ring_size(2 * params.fetch_buffer)),
      runs_mask_(runs_.size() - 1),
      front_(ring_size(params.fetch_buffer + params.decode_width + 1)),
      front_mask_(front_.size() - 1),
      checkpoints_(front_.size()),
      records_(ring_size(params.rob + params.fetch_buffer)),
      records_mask_(records_.size() - 1),
      rob_(ring_size(params.rob)),
      rob_mask_(rob_.size() - 1),
      ready_(rob_.size() / 64),
      consumer_next_(rob_.size() * kNodesPerEntry),
      wheel_(kWheelSize * ready_.size()),
      addresses_(rob_.size()),
      stores_(ring_size(params.store_queue)),
      stores_mask_(stores_.size() - 1) {
  const UnitParams units[kUnitCount] = {params.alu, params.mul,    params.div,
                                        params.fp,  params.fp_div, params.mem};
  for (unsigned i = 0; i < kUnitCount; ++i) {
    unit_[i] = units[i];
    unit_free_[i].assign(units[i].count, 0);
    // Counted a cycle; what is not pipelined is looked at unit by unit.
    if (units[i].interval == 1) pipelined_ |= 1u << i;
  }
  clear_backend();
}

void Pipeline::bind_caches(TimingPort& instructions, TimingPort& data) {
  icache_ = &instructions;
  dcache_ = &data;
}

void Pipeline::clear_backend() {
  rob_head_ = rob_tail_;
  wrong_in_rob_ = stations_used_ = loads_used_ = 0;
  std::fill(ready_.begin(), ready_.end(), 0);
  ready_words_ = 0;
  std::fill(std::begin(writer_), std::end(writer_), 0);
  std::fill(wheel_.begin(), wheel_.end(), 0);
  std::fill(std::begin(wheel_used_), std::end(wheel_used_), 0);
  wheel_early_ = 0;
  addresses_head_ = addresses_tail_;
  resolve_at_ = kNever;
  std::fill(std::begin(filter_), std::end(filter_), uint16_t{0});
  retries_.clear();
  stores_head_ = stores_committed_ = stores_tail_;
}

void Pipeline::restart() {
  stats_.squashed += rob_tail_ - rob_head_;
  if (trace_ != nullptr) trace_->squashed_reorder_buffer(cycle_, rob_head_, rob_tail_);
  clear_backend();
  records_tail_ = rob_tail_;
  serial_in_flight_ = hart_stopped_ = waiting_for_interrupt_ = draining_ = false;
  redirect(hart_.state().pc, cycle_);
  start_refill(CpiClass::kFetch);
  last_progress_ = cycle_;
}

void Pipeline::set_interval(uint64_t user_instructions) {
  interval_ = user_instructions;
  interval_at_ = user_instructions == 0 ? kNever : user_committed_ + user_instructions;
}

void Pipeline::one_cycle() {
  active_ = false;
  commit();
  writeback();
  issue();
  rename();
  decode();
  fetch();
  ++cycle_;
}

CoreStop Pipeline::run(uint64_t until) {
  stop_ = CoreStop::kNone;
  while (cycle_ < until) {
    one_cycle();
    if (stop_ != CoreStop::kNone) return stop_;
    if (!active_ && cycle_ < until && trace_ == nullptr && (sink_ == nullptr || !sink_->busy())) {
      skip_quiet_cycles(until);
      if (stop_ != CoreStop::kNone) return stop_;
    }
  }
  return stop_;
}

// In a quiet cycle no stage did anything, and none will before the next event: the cycles until
// then are all alike. One of them is executed to see what it adds to the stall counters.
void Pipeline::skip_quiet_cycles(uint64_t limit) {
  const StallStats before = stats_.stall;
  one_cycle();
  if (active_ || stop_ != CoreStop::kNone) return;
  const uint64_t until = quiet_until(limit);
  if (until <= cycle_) return;
  const uint64_t cycles = until - cycle_;
  StallStats& stall = stats_.stall;
  stall.fetch += (stall.fetch - before.fetch) * cycles;
  stall.rob_full += (stall.rob_full - before.rob_full) * cycles;
  stall.stations_full += (stall.stations_full - before.stations_full) * cycles;
  stall.load_queue_full += (stall.load_queue_full - before.load_queue_full) * cycles;
  stall.store_queue_full += (stall.store_queue_full - before.store_queue_full) * cycles;
  stall.serial += (stall.serial - before.serial) * cycles;
  stall.idle += (stall.idle - before.idle) * cycles;
  stats_.cpi[static_cast<unsigned>(cpi_class_)] += cycles;
  if (held_at_ + 1 == cycle_) held_at_ = until - 1;
  cycle_ = until;
}

// The first cycle from cycle_ on in which time alone makes something happen.
uint64_t Pipeline::quiet_until(uint64_t limit) const {
  uint64_t until = std::min(limit, last_progress_ + params_.watchdog_cycles);
  if (fetch_at_ >= cycle_) until = std::min(until, fetch_at_);
  if (front_decoded_ < front_tail_) {
    const uint64_t at = runs_[run_of(front_decoded_) & runs_mask_].rename_at - 1;
    if (at >= cycle_) until = std::min(until, at);
  }
  if (rob_head_ < rob_tail_) {
    const uint64_t done_at = rob_[rob_head_ & rob_mask_].done_at;
    if (done_at != kNever) until = std::min(until, done_at + 1);
  }
  if (addresses_head_ < addresses_tail_) {
    until = std::min(until, addresses_[addresses_head_ & rob_mask_].at);
  }
  until = std::min(until, resolve_at_);
  // The first used place of the wheel at or after this cycle's.
  const uint64_t start = cycle_ % kWheelSize;
  constexpr uint64_t kWords = kWheelSize / 64;
  for (uint64_t k = 0; k <= kWords; ++k) {
    uint64_t bits = wheel_used_[(start / 64 + k) % kWords];
    if (k == 0) bits &= ~uint64_t{0} << start % 64;
    if (k == kWords) bits &= (uint64_t{1} << start % 64) - 1;
    if (bits == 0) continue;
    const uint64_t place = (start / 64 + k) * 64 + static_cast<uint64_t>(__builtin_ctzll(bits));
    return std::min(until, cycle_ - start + place);
  }
  return until;
}

const PipelineStats& Pipeline::stats() const {
  stats_.cycles = cycle_ - stats_since_;
  return stats_;
}

void Pipeline::reset_statistics() {
  stats_ = PipelineStats();
  stats_since_ = cycle_;
  base_credit_ = 0;
}

}  // namespace strobe::core
