#include "sc_models/core/core.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace strobe::core {
namespace {

constexpr uint64_t kProgressCycles = uint64_t{1} << 18;

}  // namespace

Core::Core(sc_core::sc_module_name name, const CoreParams& params, const Clock& clock,
           isa::GuestMemory& memory, CoreDelegate& delegate, uint64_t quantum)
    : sc_module(name),
      device_socket("device_socket"),
      clock_(clock),
      delegate_(delegate),
      quantum_(quantum),
      hart_(memory, *this),
      pipeline_(std::make_unique<Pipeline>(params, hart_)),
      line_bytes_(params.memory.l1d.line) {
  if (quantum == 0) throw std::invalid_argument("core: quantum must be at least 1 cycle");
  SC_HAS_PROCESS(Core);
  SC_THREAD(thread);
}

Core::~Core() = default;

void Core::bind_caches(TimingPort& instructions, TimingPort& data) {
  instructions_ = &instructions;
  data_ = &data;
  pipeline_->bind_caches(instructions, data);
}

void Core::share_memory(uint64_t hart_id) {
  stores_ = &hart_.share_memory(hart_id);
  store_port_ = std::make_unique<StorePort>(*data_, *stores_, line_bytes_);
  pipeline_->bind_caches(*instructions_, *store_port_);
  pipeline_->share_memory();
}

void Core::set_retire_sink(RetireSink* sink) { pipeline_->set_retire_sink(sink); }

void Core::set_decode_engine(DecodeEngine& engine, const ExpansionParams& params) {
  hart_.attach(engine);
  pipeline_->set_decode_engine(engine, params);
}

void Core::restart() {
  if (stores_ != nullptr) stores_->write_all();
  pipeline_->restart();
  beside_ = beside();
  drained_ = false;
}

CoreStop Core::drain() {
  hart_.request_halt();
  const CoreStop stop = run_until(RunLimits());
  if (stop != CoreStop::kHart || hart_.stop_reason() != isa::StopReason::kHalted) {
    hart_.request_halt(false);
    return stop;
  }
  restart();
  drained_ = true;
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
  pipeline_->set_interval(user_instructions);
  at_interval_end_ = std::move(at_end);
}

uint64_t Core::counter(unsigned number) const {
  if (number == 0) return pipeline_->cycle();
  const uint64_t committed = pipeline_->committed();
  return number == 2 ? committed : hart_.counter_of(number, committed);
}

uint64_t Core::event_count(HpmEvent event) {
  switch (event) {
    case HpmEvent::kL1iMisses:
    case HpmEvent::kL1dMisses:
    case HpmEvent::kL2Misses:
    case HpmEvent::kDramRequests:
      return memory_events_ ? memory_events_(event) : 0;
    default:
      return pipeline_->event_count(event);
  }
}

void Core::thread() {
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
  const uint64_t first_cycle = pipeline_->cycle();
  const uint64_t first_instruction = pipeline_->committed();
  const uint64_t last_cycle = limits_.cycles == 0 ? kNever : first_cycle + limits_.cycles;
  pipeline_->set_user_limit(limits_.user_instructions == 0
                                ? kNever
                                : pipeline_->user_committed() + limits_.user_instructions);
  uint64_t next_progress = first_cycle + kProgressCycles;
  for (;;) {
    stop_ = pipeline_->run(std::min(pipeline_->cycle() + quantum_, last_cycle));
    if (stop_ == CoreStop::kInterval) {
      at_interval_end_();
      stop_ = CoreStop::kNone;
    }
    if (stop_ == CoreStop::kNone) stop_ = limit_reached(first_instruction, last_cycle);
    if (stop_ == CoreStop::kNone && pipeline_->cycle() >= next_progress) {
      next_progress = pipeline_->cycle() + kProgressCycles;
      if (progress_ && !progress_()) stop_ = CoreStop::kCancelled;
    }
    // Cores that share a memory keep in step; one that is alone may still ask about cycles that lie
    // before it, and simulated time waits for those.
    const bool may_ask = stores_ == nullptr && stop_ == CoreStop::kNone;
    const sc_core::sc_time ahead =
        clock_.delay_until(may_ask ? pipeline_->settled() : pipeline_->cycle());
    if (ahead > sc_core::SC_ZERO_TIME) wait(ahead);
    if (stop_ != CoreStop::kNone) return;
  }
}

CoreStop Core::limit_reached(uint64_t first_instruction, uint64_t last_cycle) const {
  if (pipeline_->cycle() >= last_cycle) return CoreStop::kCycleLimit;
  const uint64_t committed = pipeline_->committed() - first_instruction;
  const bool enough = limits_.instructions != 0 && committed >= limits_.instructions;
  return enough ? CoreStop::kInstructionLimit : CoreStop::kNone;
}

bool Core::mmio_read(uint64_t address, unsigned size, uint64_t& value) {
  value = 0;
  return device_access(tlm::TLM_READ_COMMAND, address, size, value);
}

bool Core::mmio_write(uint64_t address, unsigned size, uint64_t value) {
  return device_access(tlm::TLM_WRITE_COMMAND, address, size, value);
}

// The access happens now, in program order; the pipeline charges the annotated delay.
bool Core::device_access(tlm::tlm_command command, uint64_t address, unsigned size,
                         uint64_t& value) {
  unsigned char bytes[8] = {};
  std::memcpy(bytes, &value, sizeof value);
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(bytes);
  payload.set_data_length(size);
  payload.set_streaming_width(size);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = clock_.delay_until(pipeline_->cycle());
  device_socket->b_transport(payload, delay);
  pipeline_->device_answers_at(std::max(clock_.cycle_at(delay), pipeline_->cycle() + 1));
  if (!payload.is_response_ok()) return false;
  std::memcpy(&value, bytes, sizeof value);
  return true;
}

}  // namespace strobe::core
