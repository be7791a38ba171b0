// Everything that watches the retire stream for free: the exhaustive profile of every selection,
// and the passive observers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sc_models/platform/run.h"
#include "sc_models/port/retire.h"
#include "sc_models/profiling/observers/observer.h"
#include "sc_models/profiling/observers/selector_set.h"
#include "sw/profile/exhaustive_profile.h"

namespace strobe::platform {

/// Profilers with the same selectors form a group: one selection, one exhaustive profile, the
/// group's observers.
class Watchers {
 public:
  /// Keeps a reference to the configuration.
  explicit Watchers(const config::RunConfig& configuration);

  /// One retired instruction. The hot path: most records are of a class that nobody profiles.
  void record(const RetireRecord& record) {
    if ((opclasses_ >> static_cast<unsigned>(record.opclass) & 1) == 0) return;
    for (Group& group : groups_) {
      Tuple tuple;
      if (!group.selection.select(record, tuple)) continue;
      group.exhaustive.add(tuple);
      group.batch.push_back(tuple);
      if (group.batch.size() == kBatch) flush(group);
    }
  }

  /// Fills in what the watchers know of each profiler, in configuration order: everything of a
  /// passive one; of the active one its identity and the exhaustive profile.
  void finish(std::vector<ProfilerOutcome>& outcomes);

 private:
  static constexpr size_t kBatch = 1024;

  /// A passive observer with the profile its messages make.
  struct Watcher {
    std::unique_ptr<profiling::Observer> observer;
    profile::ExhaustiveProfile profile;
    uint64_t message_counts = 0;
  };
  struct Group {
    explicit Group(const std::vector<config::SelectorConfig>& selectors);
    profiling::SelectorSet selection;
    profile::ExhaustiveProfile exhaustive;
    std::vector<Tuple> batch;
    std::vector<size_t> members;  // indices of watchers_
  };

  void flush(Group& group);

  const config::RunConfig& configuration_;
  std::vector<Group> groups_;
  uint16_t opclasses_ = 0;         // that some group selects
  std::vector<size_t> group_of_;   // per profiler
  std::vector<Watcher> watchers_;  // per profiler; without observer: the active one
  std::vector<Message> messages_;
};

}  // namespace strobe::platform
