#include "sw/measure/instrumented_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "sc_models/port/address_map.h"
#include "sw/files/guest_files.h"
#include "sw/instrument/bursty/bursts.h"
#include "sw/instrument/bursty/bursty_plan.h"
#include "sw/instrument/bursty/bursty_runtime.h"
#include "sw/instrument/linked_data.h"
#include "sw/profile/counts/exhaustive_profile.h"
#include "sw/profile/reports/call_profiles.h"
#include "sw/profile/streams/stream_observer.h"

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
  if (!keeps_trace(options)) instrument::set_word(&program.elf, instrument::kMode, kFolds);
  return program;
}

struct OriginalEvents::Profiles {
  profile::StreamObserver streams;
  profile::CallProfiler calls;
  profile::ExhaustiveProfile edges, values;
};

OriginalEvents::OriginalEvents(const BurstyOptions& options)
    : profiles_(std::make_unique<Profiles>()),
      data_(instrument::records(options, EventKind::kData)),
      calls_(instrument::records(options, EventKind::kCall)),
      edges_(instrument::records(options, EventKind::kEdge)),
      values_(instrument::records(options, EventKind::kValue)) {
  const auto add = [this](std::initializer_list<OpClass> classes) {
    for (const OpClass one : classes) opclasses_ |= class_bit(one);
  };
  if (data_) add({OpClass::kLoad, OpClass::kStore, OpClass::kAmo});
  if (calls_) add({OpClass::kCall, OpClass::kCallIndirect});
  if (edges_) add({OpClass::kBranch});
  if (values_) add({OpClass::kLoad});
}

OriginalEvents::~OriginalEvents() = default;

void OriginalEvents::record(const RetireRecord& record) {
  if (record.trap != 0 || record.mode != PrivilegeMode::kUser) return;
  switch (record.opclass) {
    case OpClass::kLoad:
    case OpClass::kStore:
    case OpClass::kAmo:
      if (data_) {
        profiles_->streams.record(record);
        ++events_;
      }
      if (values_ && record.opclass == OpClass::kLoad && record.rd_addr != 0) {
        profiles_->values.add({record.pc_rdata, record.rd_wdata, 0});
        ++events_;
      }
      break;
    case OpClass::kBranch:
      if (edges_) {
        profiles_->edges.add({record.pc_rdata, record.pc_wdata, 0});
        profiles_->calls.record(record);  // for the methods
        ++events_;
      }
      break;
    default:
      if (calls_) {
        profiles_->calls.record(record);
        ++events_;
      }
      break;
  }
}

platform::HandlersOutcome OriginalEvents::outcome(GuestEvents collected) {
  platform::HandlersOutcome outcome;
  outcome.lost = collected.dropped;
  if (data_) {
    platform::StreamsOutcome& streams = outcome.streams.emplace();
    streams.collected = std::move(collected.references);
    streams.exhaustive = profiles_->streams.trace();
    streams.bursts = collected.bursts;
    streams.dropped = collected.dropped;
  }
  if (calls_) outcome.call_pairs = {std::move(collected.calls), profiles_->calls.call_pairs()};
  if (calls_ && edges_) {
    outcome.methods = {std::move(collected.methods), profiles_->calls.methods()};
  }
  if (edges_) {
    outcome.edges = {std::move(collected.edges), profile::Profile(profiles_->edges.entries())};
  }
  if (values_) {
    outcome.values = {std::move(collected.values), profile::Profile(profiles_->values.entries())};
  }
  return outcome;
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

InstrumentedRun::InstrumentedRun(const config::RunConfig& configuration,
                                 std::shared_ptr<const isa::ElfFile> original)
    : configuration_(configuration),
      edited_configuration_(configuration),
      options_(bursty_options(configuration.instrument)),
      original_(std::move(original)),
      program_(instrumented_program(configuration)),
      transitions_(program_.map) {
  edited_ = std::make_shared<isa::ElfFile>(
      isa::ElfFile::parse(program_.elf, configuration.workload.elf, STROBE_USER_TOP));
  reader_.emplace(program_, options_, *edited_, original_->end());
}

config::RegionPoint InstrumentedRun::edited_point(const isa::StopPoint& point,
                                                  const char* key) const {
  config::RegionPoint found;
  found.copies = program_.map.edited_code(point.pc);
  found.occurrence = point.occurrence;
  found.place.file = configuration_.source;
  found.place.path = key;
  if (found.copies.empty()) {
    throw std::runtime_error(
        fmt::format("{}: the region of interest begins or ends at pc {:#x} ({}), which the "
                    "instrumented program does not have",
                    key, point.pc, original_->describe(point.pc)));
  }
  return found;
}

bool OriginalRegion::whole_program() const {
  return outcome.end == platform::RunEnd::kExited && outcome.instructions_before == 0;
}

OriginalRegion run_original(const config::RunConfig& configuration,
                            std::shared_ptr<const isa::ElfFile> original,
                            const platform::RunHooks& hooks, RetireListener* events) {
  config::RunConfig functional = configuration;
  functional.mode = config::Mode::kFunctional;
  platform::RunHooks with_program = hooks;
  with_program.program = std::move(original);
  with_program.listener = events;
  OriginalRegion region;
  region.outcome = platform::run_functional(functional, with_program);
  if (region.outcome.end != platform::RunEnd::kExited &&
      region.outcome.end != platform::RunEnd::kRegionDone) {
    throw std::runtime_error("the original program: " + region.outcome.error);
  }
  if (!region.whole_program()) {
    with_program.elaborated = nullptr;
    region.points = platform::region_points(functional, with_program, region.outcome);
  }
  return region;
}

void InstrumentedRun::place(const OriginalRegion& region) {
  if (region.whole_program()) return;
  config::WorkloadConfig& workload = edited_configuration_.workload;
  workload.roi_begin = workload.roi_end = config::RegionPoint();
  if (region.outcome.instructions_before != 0) {
    workload.roi_begin = edited_point(region.points.begin, "workload.roi.begin");
  }
  if (region.outcome.end == platform::RunEnd::kRegionDone) {
    workload.roi_end = edited_point(region.points.end, "workload.roi.end");
  }
  workload.roi_skip = workload.roi_run = 0;
}

void InstrumentedRun::add_to(platform::RunHooks* hooks) {
  hooks->program = edited_;
  hooks->listener = &transitions_;
  hooks->region_begins = [this](const platform::MemoryReader& read) { reader_->begin(read); };
  hooks->ended = [this](const platform::MemoryReader& read) { events_ = reader_->finish(read); };
}

GuestEvents InstrumentedRun::take_events() {
  GuestEvents taken = std::move(events_);
  events_ = GuestEvents();
  events_.events = taken.events;
  events_.bursts = taken.bursts;
  events_.dropped = taken.dropped;
  events_.burst_events = taken.burst_events;
  return taken;
}

json InstrumentedRun::json(uint64_t exhaustive) const {
  const config::InstrumentConfig& configuration = configuration_.instrument;
  const auto ratio = [](uint64_t part, uint64_t whole) {
    return whole == 0 ? nlohmann::json()
                      : nlohmann::json(static_cast<double>(part) / static_cast<double>(whole));
  };
  nlohmann::json out = {{"kind", "bursty"},
                        {"variant", configuration.variant},
                        {"n_check0", configuration.n_check0},
                        {"n_instr0", configuration.n_instr0}};
  for (const auto& [name, count] : instrument::kCountNames) out[name] = program_.counts.*count;
  out["left_alone"] = nlohmann::json::array();
  for (const object::LeftAlone& one : program_.left_alone) {
    out["left_alone"].push_back({{"place", one.place}, {"reason", one.reason}});
  }
  out["code_growth"] = ratio(program_.counts.bytes_after, program_.counts.bytes_before);
  out["events"] = events_.events;
  out["exhaustive_events"] = exhaustive;
  out["dropped"] = events_.dropped;
  out["share"] = ratio(events_.events + events_.dropped, exhaustive);
  // The sampling rate of section 2, which is of checks and not of events.
  out["expected_share"] =
      ratio(configuration.n_instr0, configuration.n_check0 + configuration.n_instr0);
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
