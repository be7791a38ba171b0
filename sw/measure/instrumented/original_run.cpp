#include "sw/measure/instrumented/original_run.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sw/profile/counts/exhaustive_profile.h"
#include "sw/profile/reports/call_profiles.h"
#include "sw/profile/streams/stream_observer.h"

namespace strobe {
namespace {

using instrument::EventKind;

bool has(const std::vector<EventKind>& kinds, EventKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

}  // namespace

struct OriginalEvents::Profiles {
  profile::StreamObserver streams;
  profile::CallProfiler calls;
  profile::ExhaustiveProfile edges, values;
};

OriginalEvents::OriginalEvents(const std::vector<EventKind>& kinds)
    : profiles_(std::make_unique<Profiles>()),
      data_(has(kinds, EventKind::kData)),
      calls_(has(kinds, EventKind::kCall)),
      edges_(has(kinds, EventKind::kEdge)),
      values_(has(kinds, EventKind::kValue)) {
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

profile::Profile OriginalEvents::edges() const {
  return profile::Profile(profiles_->edges.entries());
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
    outcome.edges = {std::move(collected.edges), edges()};
  }
  if (values_) {
    outcome.values = {std::move(collected.values), profile::Profile(profiles_->values.entries())};
  }
  return outcome;
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

}  // namespace strobe
