#include "sc_models/platform/watchers.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "sc_models/platform/selection.h"

namespace strobe::platform {
namespace {

const char* kind_name(config::ProfilerKind kind) {
  switch (kind) {
    case config::ProfilerKind::kStratified:
      return "stratified";
    case config::ProfilerKind::kRandom:
      return "random";
    case config::ProfilerKind::kPeriodic:
      return "periodic";
  }
  throw std::invalid_argument("a profiler kind without a name");
}

const char* fidelity_name(profiling::Fidelity fidelity) {
  switch (fidelity) {
    case profiling::Fidelity::kRtl:
      return "rtl";
    case profiling::Fidelity::kModel:
      return "model";
    case profiling::Fidelity::kLockstep:
      return "lockstep";
  }
  throw std::invalid_argument("a fidelity without a name");
}

bool same_selection(const config::SelectorConfig& a, const config::SelectorConfig& b) {
  const profiling::SelectorSlot x = selector_slot(a), y = selector_slot(b);
  return x.kind == y.kind && x.user == y.user && x.machine == y.machine && x.tag == y.tag &&
         x.marked == y.marked && x.prediction == y.prediction && x.opclass == y.opclass &&
         x.pc_lo == y.pc_lo && x.pc_hi == y.pc_hi;
}

bool same_selection(const config::ProfilerConfig& a, const config::ProfilerConfig& b) {
  return std::equal(a.selectors.begin(), a.selectors.end(), b.selectors.begin(), b.selectors.end(),
                    [](const auto& x, const auto& y) { return same_selection(x, y); });
}

std::vector<profiling::SelectorSlot> slots_of(
    const std::vector<config::SelectorConfig>& selectors) {
  std::vector<profiling::SelectorSlot> slots;
  for (const config::SelectorConfig& selector : selectors) slots.push_back(selector_slot(selector));
  return slots;
}

/// A seed of its own for each profiler of a run: FNV-1a of its name, from the run's seed.
uint64_t derived_seed(uint64_t run_seed, const std::string& name) {
  uint64_t hash = 0xcbf29ce484222325 ^ run_seed;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash;
}

std::unique_ptr<profiling::Observer> make_observer(const config::ProfilerConfig& profiler,
                                                   uint64_t run_seed) {
  profiling::ObserverParams params;
  params.period = profiler.rate;
  params.strata = profiler.strata;
  params.counter_width = profiler.counter_width;
  params.seed = profiler.seed != 0 ? profiler.seed : derived_seed(run_seed, profiler.name);
  return profiling::make_observer(kind_name(profiler.kind), params);
}

}  // namespace

Watchers::Group::Group(const std::vector<config::SelectorConfig>& selectors)
    : selection(slots_of(selectors)) {
  batch.reserve(kBatch);
}

Watchers::Watchers(const config::RunConfig& configuration) : configuration_(configuration) {
  const std::vector<config::ProfilerConfig>& profilers = configuration.profilers;
  for (size_t i = 0; i < profilers.size(); ++i) {
    size_t first = 0;  // the first profiler with this selection: its group is ours
    while (!same_selection(profilers[first], profilers[i])) ++first;
    if (first == i) {
      groups_.emplace_back(profilers[i].selectors);
      opclasses_ |= groups_.back().selection.opclasses();
    }
    group_of_.push_back(first == i ? groups_.size() - 1 : group_of_[first]);
    Watcher& watcher = watchers_.emplace_back();
    if (profilers[i].active) continue;
    watcher.observer = make_observer(profilers[i], configuration.seed);
    groups_[group_of_[i]].members.push_back(i);
  }
}

void Watchers::flush(Group& group) {
  for (const size_t member : group.members) {
    Watcher& watcher = watchers_[member];
    messages_.clear();
    watcher.observer->observe(group.batch.data(), group.batch.size(), messages_);
    for (const Message& message : messages_) {
      watcher.profile.add(message.tuple, message.count);
      watcher.message_counts += message.count;
    }
  }
  group.batch.clear();
}

void Watchers::finish(std::vector<ProfilerOutcome>& outcomes) {
  for (Group& group : groups_) flush(group);
  for (size_t i = 0; i < configuration_.profilers.size(); ++i) {
    const config::ProfilerConfig& profiler = configuration_.profilers[i];
    const Watcher& watcher = watchers_[i];
    ProfilerOutcome& outcome = outcomes.emplace_back();
    outcome.name = profiler.name;
    outcome.kind = kind_name(profiler.kind);
    outcome.fidelity = fidelity_name(profiler.fidelity);
    outcome.active = profiler.active;
    outcome.exhaustive = groups_[group_of_[i]].exhaustive.entries();
    if (profiler.active) continue;
    outcome.events = watcher.observer->events();
    outcome.messages = watcher.observer->messages();
    outcome.message_counts = watcher.message_counts;
    outcome.residue = watcher.observer->residue();
    outcome.storage_bits = watcher.observer->storage_bits();
    outcome.profile = watcher.profile.entries();
  }
}

}  // namespace strobe::platform
