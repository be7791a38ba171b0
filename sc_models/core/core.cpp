#include "sc_models/core/core.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace strobe::core {
namespace {

constexpr uint64_t kProgressCycles = uint64_t{1} << 18;

}  // namespace

Core::Core(sc_core::sc_module_name name, const CoreParams& params, const Clock& clock,
           isa::GuestMemory& memory, const std::vector<CoreDelegate*>& delegates, uint64_t quantum)
    : sc_module(name), device_socket("device_socket"), clock_(clock), quantum_(quantum) {
  check(params);
  if (quantum == 0) throw std::invalid_argument("core: quantum must be at least 1 cycle");
  if (delegates.size() != params.threads) {
    throw std::invalid_argument(fmt::format("{}: expected {} delegates, one for each hart, got {}",
                                            this->name(), params.threads, delegates.size()));
  }
  if (params.threads > 1) {
    shared_ = std::make_unique<SharedCore>(params);
    for (unsigned hart = 0; hart < SharedCore::kHarts; ++hart) shares_.emplace_back(*shared_, hart);
  }
  for (unsigned hart = 0; hart < params.threads; ++hart) {
    threads_.push_back(std::make_unique<HardwareThread>(
        shared_ ? shared_->hart_params() : params, clock, memory, *delegates[hart], device_socket,
        shared_ ? &shares_[hart] : nullptr));
  }
  if (shared_) {
    thread(0).set_sibling(thread(1));
    thread(1).set_sibling(thread(0));
  }
  if (shared_) pair_ = std::make_unique<ThreadPair>(*shared_, pipeline(), thread(1).pipeline());
  SC_HAS_PROCESS(Core);
  SC_THREAD(thread_process);
}

Core::~Core() = default;

void Core::bind_caches(TimingPort& instructions, TimingPort& data) {
  for (const auto& thread : threads_) thread->bind_caches(instructions, data);
}

void Core::share_memory(uint64_t first_hart_id) {
  for (const auto& thread : threads_) thread->share_memory(first_hart_id++);
}

void Core::set_decode_engine(DecodeEngine& engine, const ExpansionParams& params) {
  hart().attach(engine);
  pipeline().set_decode_engine(engine, params);
}

void Core::restart(unsigned hart) {
  thread(hart).restart();
  if (pair_) pair_->turn_on(hart);
}

std::string Core::dump_state() const {
  if (!pair_) return pipeline().dump_state();
  return "hart 0: " + pipeline().dump_state() +
         "hart 1: " + (pair_->is_on(1) ? thread(1).pipeline().dump_state() : std::string("off\n"));
}

CoreStop Core::drain() {
  hart().request_halt();
  const CoreStop stop = run_until(RunLimits());
  if (stop != CoreStop::kHart || hart_stop_reason() != isa::StopReason::kHalted) {
    hart().request_halt(false);
    return stop;
  }
  restart();
  thread().leave_pipeline();
  return CoreStop::kNone;
}

CoreStop Core::run_until(const RunLimits& limits, const std::function<bool()>& progress) {
  start(limits, progress);
  while (running_) sc_core::sc_start();  // it returns when another core ends, too
  return finish();
}

void Core::start(const RunLimits& limits, const std::function<bool()>& progress) {
  limits_ = limits;
  progress_ = progress;
  failure_ = nullptr;
  running_ = true;
  start_event_.notify(sc_core::SC_ZERO_TIME);
}

CoreStop Core::finish() const {
  if (failure_) std::rethrow_exception(failure_);
  return stop_;
}

void Core::set_interval(uint64_t user_instructions, std::function<void()> at_end) {
  pipeline().set_interval(user_instructions);
  at_interval_end_ = std::move(at_end);
}

void Core::thread_process() {
  for (;;) {
    while (!running_) wait(start_event_);
    try {
      simulate();
    } catch (const sc_core::sc_unwind_exception&) {
      throw;
    } catch (...) {
      failure_ = std::current_exception();
    }
    running_ = false;
    sc_core::sc_pause();
  }
}

void Core::simulate() {
  const uint64_t first_cycle = cycle_count();
  const uint64_t first_instruction = pipeline().committed();
  const uint64_t first_of_all = user_committed_by_all();
  const uint64_t last_cycle = limits_.cycles == 0 ? kNever : first_cycle + limits_.cycles;
  pipeline().set_user_limit(limits_.user_instructions == 0
                                ? kNever
                                : pipeline().user_committed() + limits_.user_instructions);
  uint64_t next_progress = first_cycle + kProgressCycles;
  for (;;) {
    stop_ = run_pipelines(std::min(cycle_count() + quantum_, last_cycle));
    if (stop_ == CoreStop::kInterval) {
      at_interval_end_();
      stop_ = CoreStop::kNone;
    }
    if (stop_ == CoreStop::kNone)
      stop_ = limit_reached(first_instruction, first_of_all, last_cycle);
    if (stop_ == CoreStop::kNone && cycle_count() >= next_progress) {
      next_progress = cycle_count() + kProgressCycles;
      if (progress_ && !progress_()) stop_ = CoreStop::kCancelled;
    }
    // Cores that share a memory keep in step; one that is alone may still ask about cycles that lie
    // before it, and simulated time waits for those.
    const bool may_ask = !thread().shares_memory() && stop_ == CoreStop::kNone;
    const sc_core::sc_time ahead =
        clock_.delay_until(may_ask ? pipeline().settled() : cycle_count());
    if (ahead > sc_core::SC_ZERO_TIME) wait(ahead);
    if (stop_ != CoreStop::kNone) return;
  }
}

CoreStop Core::run_pipelines(uint64_t until) {
  return pair_ ? pair_->run(until) : pipeline().run(until);
}

uint64_t Core::user_committed_by_all() const {
  uint64_t committed = 0;
  for (const auto& thread : threads_) committed += thread->pipeline().user_committed();
  return committed;
}

CoreStop Core::limit_reached(uint64_t first_instruction, uint64_t first_of_all,
                             uint64_t last_cycle) const {
  if (cycle_count() >= last_cycle) return CoreStop::kCycleLimit;
  const auto enough = [](uint64_t committed, uint64_t limit) {
    return limit != 0 && committed >= limit;
  };
  const bool reached =
      enough(pipeline().committed() - first_instruction, limits_.instructions) ||
      enough(user_committed_by_all() - first_of_all, limits_.user_instructions_of_all);
  return reached ? CoreStop::kInstructionLimit : CoreStop::kNone;
}

}  // namespace strobe::core
