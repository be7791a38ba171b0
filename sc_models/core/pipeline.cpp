// The pipeline as a whole: construction, the run, restart.
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
      return "the run was canceled";
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
      records_(ring_size(2 * (params.rob + params.fetch_buffer + 2 * FetchRun::kMost))),
      renamed_(records_.size()),
      committed_at_(records_.size()),
      held_(records_.size()),
      mask_(records_.size() - 1),
      head_(records_.size()),
      placed_(records_.size()),
      unit_{params.alu, params.mul, params.div, params.fp, params.fp_div, params.mem},
      slots_(params.issue_width, unit_),
      loads_(ring_size(params.load_queue + 1)),
      loads_mask_(loads_.size() - 1),
      loads_tail_(loads_.size()),
      stores_(ring_size(params.store_queue + 1)),
      stores_mask_(stores_.size() - 1) {
  lessons_.resize(records_.size());
}

void Pipeline::bind_caches(TimingPort& instructions, TimingPort& data) {
  icache_ = &instructions;
  dcache_ = &data;
}

void Pipeline::restart() {
  stats_.squashed += placed_ - head_;
  learn(delivered_);
  lessons_head_ = lessons_tail_;
  if (trace_ != nullptr) trace_->cut(cycle_);
  head_ = placed_;
  std::fill(renamed_.begin(), renamed_.end(), 0);
  std::fill(committed_at_.begin(), committed_at_.end(), 0);
  std::fill(std::begin(value_at_), std::end(value_at_), 0);
  std::fill(loads_.begin(), loads_.end(), 0);
  std::fill(std::begin(store_of_), std::end(store_of_), 0);
  std::fill(stores_.begin(), stores_.end(), Store{0, 0, 0, 0, 0});
  stores_gone_ = stores_written_ = stores_tail_;
  write_at_ = serial_until_ = 0;
  slots_.clear(cycle_);
  decode_at_ = last_renamed_ = last_commit_ = cycle_;
  hart_stopped_ = waiting_for_interrupt_ = draining_ = stores_first_ = false;
  piece_ = Piece();
  redirect(hart_.state().pc, cycle_);
  start_refill(CpiClass::kFetch);
  last_progress_ = cycle_;
}

void Pipeline::set_interval(uint64_t user_instructions) {
  interval_ = user_instructions;
  interval_at_ = user_instructions == 0 ? ~uint64_t{0} : user_committed_ + user_instructions;
}

CoreStop Pipeline::run(uint64_t until) {
  stop_ = CoreStop::kNone;
  ask_sink();
  if (shared_) visible_until_ = until - 1;
  while (stop_ == CoreStop::kNone) {
    if (hart_stopped_) {
      const uint64_t end = std::max({decode_at_ + 1, drained_at(), all_written_at(until)});
      deliver(std::min(end, until - 1));
      if (stop_ != CoreStop::kNone || end >= until) break;
      if (!drained()) continue;
      cycle_ = end + 1;
      stop_ = CoreStop::kHart;
      break;
    }
    if (waiting_for_interrupt_ && !idle(until)) break;
    if (piece_.done == piece_.count) fetch();
    if (!execute(until)) break;
  }
  if (stop_ == CoreStop::kNone) cycle_ = until;
  // Other harts may look for them; without any, simulated time may pass to settled().
  write_stores(shared_ ? cycle_ - 1 : settled());
  if (trace_ != nullptr) trace_stopped();
  return stop_;
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
