#include "sc_models/watch/observer_group.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "sc_models/machine/profiler/profiler_setup.h"
#include "sc_models/profiling/observers/message_key.h"
#include "sc_models/profiling/observers/storage.h"

namespace strobe::platform {
namespace {

// Tuples that the memory is asked for before they are counted: tables do not fit into caches.
constexpr size_t kAhead = 16;

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

}  // namespace

ObserverGroup::ObserverGroup(const config::RunConfig& configuration, std::vector<size_t> members)
    : configuration_(configuration),
      exhaustive_(std::make_unique<profile::ExhaustiveProfile>(configuration.exhaustive_bytes,
                                                               configuration.seed)),
      to_point_(configuration.progress.every) {
  for (const size_t profiler : members) add(profiler);
  if (to_point_ != 0) tracker_.emplace(*exhaustive_);
}

void ObserverGroup::add(size_t profiler) {
  const config::ProfilerConfig& configuration = configuration_.profilers[profiler];
  if (configuration.active) {
    members_.emplace_back().profilers = {profiler};
    return;
  }
  const profiling::PathParams params = path_params(configuration_, configuration);
  const profiling::CompressorRates rates = compressor_rates(configuration);
  const uint64_t constants = configuration.hash_constants == config::HashConstants::kDrawn
                                 ? config::derived_seed(configuration_.seed, "hash")
                                 : 0;
  profiling::Seeds seeds(compressor_seed(configuration_, configuration), constants);
  seeds.phase = configuration.phase == config::Phase::kRandom;
  auto observer = std::make_unique<profiling::Observer>(params, rates, seeds);
  std::vector<uint64_t> message_key = profiling::message_key(params, rates, seeds);
  for (Member& member : members_) {
    if (member.message_key == message_key) return member.profilers.push_back(profiler);
  }
  Member& member = members_.emplace_back();
  member.profilers = {profiler};
  member.message_key = std::move(message_key);
  member.observer = std::move(observer);
}

void ObserverGroup::take(const Tuple* tuples, size_t count, uint64_t cycles) {
  if (!tracker_) return watch(tuples, count);
  while (count > 0) {
    const size_t part = static_cast<size_t>(std::min<uint64_t>(count, to_point_));
    watch(tuples, part);
    tuples += part;
    count -= part;
    to_point_ -= part;
    if (to_point_ != 0) continue;
    end_point(cycles);
    to_point_ = configuration_.progress.every;
  }
}

/// Counts a batch in the exhaustive profile, and notes the numbers.
void ObserverGroup::number(const Tuple* tuples, size_t count) {
  numbers_.assign(count, profile::ExhaustiveProfile::kNoNumber);
  searched_.resize(count);
  size_t searched = 0;
  for (size_t i = 0; i < count; ++i) {
    searched_[searched] = static_cast<uint32_t>(i);
    searched += tracker_ || !recent_.count(tuples[i], numbers_[i]) ? 1 : 0;
  }
  for (size_t n = 0; n < searched; ++n) {
    if (n + kAhead < searched) exhaustive_->prefetch(tuples[searched_[n + kAhead]]);
    const Tuple& tuple = tuples[searched_[n]];
    const uint32_t number = exhaustive_->add(tuple);
    if (exhaustive_->kept().halvings() != halvings_) renumber();
    numbers_[searched_[n]] = number;
    if (tracker_) {
      tracker_->note(number);
    } else {
      recent_.put(tuple, number, *exhaustive_);
    }
  }
}

void ObserverGroup::watch(const Tuple* tuples, size_t count) {
  number(tuples, count);
  batch_.set(tuples, count);
  for (Member& member : members_) {
    if (member.observer == nullptr) continue;
    observed_.clear();
    member.observer->observe(batch_, observed_);
    deliver(member);
  }
}

/// The exhaustive profile dropped some of its tuples.
void ObserverGroup::renumber() {
  recent_.flush(*exhaustive_);
  const std::vector<uint32_t>& now = exhaustive_->renumbered();
  for (uint32_t& number : numbers_) {
    if (number != profile::ExhaustiveProfile::kNoNumber) number = now[number];
  }
  for (Member& member : members_) member.profile.renumber(now);
  halvings_ = exhaustive_->kept().halvings();
}

/// The messages to the member's software.
void ObserverGroup::deliver(Member& member) const {
  member.profile.fit(exhaustive_->size());
  if (tracker_) member.loads.fit(tracker_->loads());
  for (const profiling::Sample& sample : observed_.samples) {
    count(member, numbers_[sample.at], sample.count);
  }
  for (const Message& message : observed_.messages) {
    count(member, exhaustive_->number(message.tuple), message.count);
  }
}

void ObserverGroup::count(Member& member, uint32_t number, uint32_t n) const {
  member.profile.add(number, n);
  if (tracker_) member.loads.add(tracker_->load_of(number), n);
}

void ObserverGroup::end_point(uint64_t cycles) {
  tracker_->select();
  for (Member& member : members_) {
    if (member.observer == nullptr) continue;
    profile::ProgressPoint point;
    point.events = member.observer->events();
    point.cycles = cycles;
    point.messages = member.observer->messages();
    point.overlap = tracker_->overlap(member.profile);
    point.invariance_error = tracker_->invariance_error(member.profile, member.loads);
    member.points.push_back(point);
  }
}

void ObserverGroup::finish(std::vector<ProfilerOutcome>& outcomes) {
  recent_.flush(*exhaustive_);
  const std::vector<uint32_t> order = exhaustive_->order();
  const auto exhaustive = std::make_shared<const TupleCounts>(exhaustive_->entries(order));
  for (Member& member : members_) {
    auto profile = std::make_shared<const TupleCounts>();
    if (member.observer != nullptr) {
      observed_.clear();
      member.observer->drain(observed_.messages);
      deliver(member);
      profile = std::make_shared<const TupleCounts>(member.profile.entries(*exhaustive, order));
    }
    for (const size_t profiler : member.profilers) {
      fill_in(member, profiler, outcomes[profiler]);
      outcomes[profiler].exhaustive = exhaustive;
      outcomes[profiler].profile = profile;
    }
    member.profile = profile::NumberedCounts();
  }
}

void ObserverGroup::fill_in(const Member& member, size_t profiler, ProfilerOutcome& outcome) const {
  const config::ProfilerConfig& configuration = configuration_.profilers[profiler];
  outcome.name = configuration.name;
  outcome.kind = config::kProfilerKindNames[static_cast<size_t>(configuration.kind)];
  outcome.fidelity = fidelity_name(configuration.fidelity);
  outcome.active = configuration.active;
  outcome.storage_bits = profiling::storage_bits(path_params(configuration_, configuration));
  outcome.kept = exhaustive_->kept();
  if (member.observer == nullptr) return;
  outcome.events = member.observer->events();
  outcome.messages = member.observer->messages();
  outcome.message_counts = member.profile.total();
  outcome.residue = member.observer->residue();
  outcome.progress = member.points;
}

}  // namespace strobe::platform
