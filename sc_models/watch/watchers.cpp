#include "sc_models/watch/watchers.h"

#include "sc_models/machine/profiler/selection.h"

namespace strobe::platform {

Watchers::Watchers(const config::RunConfig& configuration, RetireListener* listener)
    : configuration_(configuration),
      listener_(listener != nullptr && !listener->kinds().empty() ? listener : nullptr),
      kinds_(listener_ != nullptr ? listener_->kinds() : RetireKinds()) {
  const std::vector<config::ProfilerConfig>& profilers = configuration.profilers;
  std::vector<std::vector<size_t>> members;
  std::vector<size_t> group_of;
  for (size_t i = 0; i < profilers.size(); ++i) {
    size_t first = 0;  // the first profiler with this selection: its group is ours
    while (!same_selection(profilers[first].selectors, profilers[i].selectors)) ++first;
    if (first == i) {
      members.emplace_back();
      taps_.emplace_back(profilers[i].selectors);
      kinds_ = kinds_ | taps_.back().selection.kinds();
    }
    group_of.push_back(first == i ? members.size() - 1 : group_of[first]);
    members[group_of[i]].push_back(i);
  }
  for (const std::vector<size_t>& group : members) groups_.emplace_back(configuration, group);
}

void Watchers::flush(size_t group) {
  groups_[group].take(taps_[group].batch.data(), taps_[group].size, cycles_);
  taps_[group].size = 0;
}

void Watchers::finish(std::vector<ProfilerOutcome>& outcomes) {
  outcomes.resize(configuration_.profilers.size());
  for (size_t group = 0; group < groups_.size(); ++group) {
    flush(group);
    groups_[group].finish(outcomes);
  }
}

}  // namespace strobe::platform
