#include "sc_models/run/program_run.h"

#include <fmt/format.h>

#include "sc_models/machine/guest/program_clock.h"
#include "sc_models/machine/guest/region.h"
#include "sc_models/machine/profiler/production_set.h"

namespace strobe::platform {
namespace {

/// The sentence for a run that reached a limit; `where` is the pc's description.
std::string describe_limit(const char* key, uint64_t limit, const std::string& where) {
  return fmt::format(
      "the program was still running at {} when it reached {} = {}: raise the limit if it needs "
      "more, or look there for an endless loop",
      where, key, limit);
}

}  // namespace

ProgramRun::ProgramRun(const config::RunConfig& configuration, const RunHooks& hooks,
                       const config::ProfilerConfig* active, bool profiled,
                       const std::function<uint64_t()>& now)
    : configuration_(configuration),
      hooks_(hooks),
      engine_(configuration.decode.given() ? make_decode_engine(configuration, now) : nullptr),
      image_(memory_, configuration, active, /*edits=*/profiled, hooks),
      handlers_(profiled && engine_ != nullptr
                    ? std::make_unique<HandlerProfiles>(image_.productions(), hooks.exhaustive)
                    : nullptr) {
  image_.process().set_clock([this] { return program_nanoseconds(program_instructions()); });
  image_.process().set_output(hooks_.output);
  if (hooks_.put_in) image_.process().set_uninterruptible(hooks_.put_in);
}

void ProgramRun::make_listeners(bool always) {
  RetireListener* const listener = handlers_ != nullptr ? handlers_.get() : hooks_.listener;
  const bool listened = listener != nullptr && !listener->kinds().empty();
  if (always || !configuration_.profilers.empty() || listened) {
    watchers_ = std::make_unique<Watchers>(configuration_, listener);
  }
}

RunOutcome ProgramRun::run() {
  if (hooks_.elaborated) hooks_.elaborated();
  RunOutcome outcome;
  approach();
  outcome.instructions_before = begin_;
  const Stop stop = region_error_.empty() ? measure(outcome) : Stop::kHart;
  outcome.simulated_instructions = hart().instructions();
  describe_end(stop, outcome);
  outcome.exit_code = image_.process().exit().code;
  outcome.syscalls = image_.process().syscalls();
  outcome.refusals = image_.process().refusals();
  outcome.unsupported_calls = image_.process().unsupported_calls();
  std::vector<isa::ThreadShare> threads = image_.process().threads();
  if (threads.size() > 1) outcome.threads = std::move(threads);
  outcome.suspect_calls = image_.process().suspect_calls();
  outcome.thread_switches = image_.process().thread_switches();
  end_listening();
  if (recorder_ != nullptr) recorder_->finish();
  if (watchers_ != nullptr) watchers_->finish(outcome.profilers);
  const bool whole = outcome.end == RunEnd::kExited || outcome.end == RunEnd::kRegionDone;
  if (whole) read_out(outcome);
  if (whole && hooks_.ended) hooks_.ended(reader());
  return outcome;
}

void ProgramRun::begin_region() {
  if (handlers_ != nullptr) handlers_->begin_region(image_, reader());
  if (hooks_.region_begins) hooks_.region_begins(reader());
}

void ProgramRun::finish_handlers(RunOutcome& outcome) {
  if (handlers_ == nullptr) return;
  outcome.handlers = handlers_->finish(image_, reader(), hart().state());
}

MemoryReader ProgramRun::reader() {
  return
      [this](uint64_t address, void* to, size_t size) { return memory_.read(address, to, size); };
}

void ProgramRun::describe_end(Stop stop, RunOutcome& outcome) {
  if (!region_error_.empty()) {
    outcome.end = RunEnd::kFailed;
    outcome.error = region_error_;
    return;
  }
  const std::string place = image_.describe(hart().state().pc);
  switch (stop) {
    case Stop::kRegionEnd:
      outcome.end = RunEnd::kRegionDone;
      return;
    case Stop::kCycleLimit:
      outcome.end = RunEnd::kLimit;
      outcome.error = describe_limit("max_cycles", configuration_.max_cycles, place);
      return;
    case Stop::kInstructionLimit:
      outcome.end = RunEnd::kLimit;
      outcome.error = describe_limit("max_instructions", configuration_.max_instructions, place);
      return;
    case Stop::kDeadlock:
      outcome.end = RunEnd::kDeadlock;
      outcome.error = dump_state();
      return;
    case Stop::kHart:
      if (!image_.process().exit().reached_limit) break;
      outcome.end = RunEnd::kLimit;
      outcome.error = describe_limit("max_instructions", configuration_.max_instructions, place);
      return;
  }
  if (image_.process().exit().exited && !configuration_.workload.roi_end.given()) {
    outcome.end = RunEnd::kExited;
    return;
  }
  outcome.end = RunEnd::kFailed;
  outcome.error = why_failed();
}

/// Why the hart stopped before the end of the region.
std::string ProgramRun::why_failed() {
  const isa::ProcessExit& exit = image_.process().exit();
  if (exit.exited) {
    return never_reached(configuration_.workload.roi_end, "ended", hart().stop_point_passes());
  }
  if (exit.failed) return exit.error;
  if (signals_.fatal) return image_.describe_fatal(reader(), hart().state());
  return why_stopped();
}

}  // namespace strobe::platform
