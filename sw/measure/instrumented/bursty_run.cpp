#include "sw/measure/instrumented/bursty_run.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "sw/files/guest_files.h"
#include "sw/instrument/bursty/bursts.h"
#include "sw/instrument/bursty/bursty_plan.h"
#include "sw/instrument/bursty/bursty_runtime.h"
#include "sw/instrument/linked_data.h"

namespace strobe {

using instrument::BurstyOptions;
using instrument::EventKind;
using nlohmann::json;

BurstyOptions bursty_options(const config::InstrumentConfig& configuration) {
  BurstyOptions options = instrument::variant(configuration.variant);
  options.events.clear();
  for (const auto& [name, kind] :
       {std::pair("data", EventKind::kData), std::pair("edge", EventKind::kEdge),
        std::pair("call", EventKind::kCall), std::pair("value", EventKind::kValue)}) {
    const std::vector<std::string>& wanted = configuration.events;
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) {
      options.events.push_back(kind);
    }
  }
  options.library = configuration.objects == config::InstrumentedObjects::kAll;
  options.jitter = configuration.jitter != 0;
  options.buffer_records = configuration.buffer_records;
  options.trace_records = configuration.trace_records;
  return options;
}

instrument::InstrumentedProgram instrumented_program(const config::RunConfig& configuration) {
  constexpr uint32_t kFolds = 1;
  const config::WorkloadConfig& workload = configuration.workload;
  const BurstyOptions options = bursty_options(configuration.instrument);
  instrument::InstrumentedProgram program =
      instrument::find_or_instrument(instrument::linked_program(workload.elf, workload.objects),
                                     files::guest_file("bursty/fold.o"), options);
  instrument::set_bursts(&program.elf, configuration.instrument.n_check0,
                         configuration.instrument.n_instr0);
  if (options.jitter) {
    instrument::set_distances(&program.elf, configuration.instrument.n_check0,
                              configuration.instrument.jitter,
                              config::derived_seed(configuration.seed, "instrument.jitter"));
  }
  if (!keeps_trace(options)) instrument::set_word(&program.elf, instrument::kMode, kFolds);
  return program;
}

CopyTransitions::CopyTransitions(const instrument::AddressMap& map) : map_(map) {
  for (const instrument::CodeRange& range : map.code()) {
    if (range.instrumented) copied_.emplace_back(range.original, range.original + range.bytes);
  }
  std::sort(copied_.begin(), copied_.end());
}

RetireKinds CopyTransitions::kinds() const {
  return RetireKinds(class_bit(OpClass::kReturn), class_bit(OpClass::kReturn));
}

bool CopyTransitions::has_copy(uint64_t original) const {
  const auto after =
      std::upper_bound(copied_.begin(), copied_.end(), std::pair(original, ~uint64_t{0}));
  return after != copied_.begin() && original < std::prev(after)->second;
}

void CopyTransitions::record(const RetireRecord& record) {
  if (record.trap != 0 || record.mode != PrivilegeMode::kUser) return;
  const instrument::CodeRange* const from = map_.code_at(record.pc_rdata);
  const instrument::CodeRange* const to = map_.code_at(record.pc_wdata);
  if (from == nullptr || to == nullptr) return;  // the runtime's own
  ++returns_;
  if (from->instrumented == to->instrumented) return;
  // What has one copy only returns to both.
  const auto original = [](const instrument::CodeRange& range, uint64_t pc) {
    return range.original + (pc - range.edited);
  };
  if (has_copy(original(*from, record.pc_rdata)) && has_copy(original(*to, record.pc_wdata))) {
    ++accidental_;
  }
}

BurstyRun::BurstyRun(const config::RunConfig& configuration,
                     std::shared_ptr<const isa::ElfFile> original)
    : InstrumentedRun(configuration, std::move(original)),
      configuration_(configuration.instrument),
      options_(bursty_options(configuration.instrument)),
      program_(instrumented_program(configuration)),
      transitions_(program_.map) {
  set_edited(program_.elf, program_.map);
  reader_.emplace(program_, options_, *edited(), this->original().end());
}

void BurstyRun::add_to(platform::RunHooks* hooks) {
  add_program_to(hooks);
  hooks->listener = &transitions_;
  hooks->region_begins = [this](const platform::MemoryReader& read) { reader_->begin(read); };
  hooks->ended = [this](const platform::MemoryReader& read) { events_ = reader_->finish(read); };
}

std::optional<platform::HandlersOutcome> BurstyRun::outcome(OriginalEvents& original) {
  return original.outcome(take_events());
}

GuestEvents BurstyRun::take_events() {
  GuestEvents taken = std::move(events_);
  events_ = GuestEvents();
  events_.events = taken.events;
  events_.bursts = taken.bursts;
  events_.dropped = taken.dropped;
  events_.burst_events = taken.burst_events;
  return taken;
}

json BurstyRun::json(uint64_t exhaustive) const {
  const auto ratio = [](uint64_t part, uint64_t whole) {
    return whole == 0 ? nlohmann::json()
                      : nlohmann::json(static_cast<double>(part) / static_cast<double>(whole));
  };
  nlohmann::json out = {{"kind", "bursty"},
                        {"variant", configuration_.variant},
                        {"n_check0", configuration_.n_check0},
                        {"n_instr0", configuration_.n_instr0},
                        {"jitter", configuration_.jitter}};
  for (const auto& [name, count] : instrument::kCountNames) out[name] = program_.counts.*count;
  out["left_alone"] = left_alone_json(program_.left_alone);
  out["code_growth"] = ratio(program_.counts.bytes_after, program_.counts.bytes_before);
  out["events"] = events_.events;
  out["exhaustive_events"] = exhaustive;
  out["dropped"] = events_.dropped;
  out["share"] = ratio(events_.events + events_.dropped, exhaustive);
  // The sampling rate of section 2, which is of checks and not of events.
  out["expected_share"] =
      ratio(configuration_.n_instr0, configuration_.n_check0 + configuration_.n_instr0);
  out["bursts"] = events_.bursts;
  out["returns"] = transitions_.returns();
  out["accidental_transitions"] = transitions_.accidental();
  nlohmann::json& burst = out["burst_events"];
  if (!events_.burst_events.empty()) {
    std::vector<uint64_t> sorted = events_.burst_events;
    std::sort(sorted.begin(), sorted.end());
    const auto at = [&](size_t percent) { return sorted[(sorted.size() - 1) * percent / 100]; };
    burst = {{"least", sorted.front()},
             {"p10", at(10)},
             {"p50", at(50)},
             {"p90", at(90)},
             {"most", sorted.back()}};
    burst["mean"] =
        ratio(std::accumulate(sorted.begin(), sorted.end(), uint64_t{0}), sorted.size());
  }
  return out;
}

}  // namespace strobe
