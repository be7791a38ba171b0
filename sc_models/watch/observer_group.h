// The profilers that watch one stream of tuples: their observers, the profiles these make, and the
// exhaustive profile beside them. Fed by a run (watchers.h) or by a recorded stream (strobe
// replay).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sc_models/profiling/observers/observer.h"
#include "sc_models/watch/recent_tuples.h"
#include "sw/profile/accuracy/progress.h"
#include "sw/profile/counts/exhaustive_profile.h"
#include "sw/profile/counts/numbered_counts.h"

namespace strobe::platform {

class ObserverGroup final : public TupleSink {
 public:
  /// Keeps a reference to the configuration. @param members  indices of its profilers; an active
  /// one gets no observer, only the exhaustive profile
  ObserverGroup(const config::RunConfig& configuration, std::vector<size_t> members);

  void take(const Tuple* tuples, size_t count, uint64_t cycles) override;

  /// The end of the stream: fills in the outcomes of the members; `outcomes` has one for each
  /// profiler of the configuration.
  void finish(std::vector<ProfilerOutcome>& outcomes);

 private:
  /// One observer stands for all profilers that behave as it does.
  struct Member {
    std::vector<size_t> profilers;      // their indices
    std::vector<uint64_t> message_key;  // empty for an active one
    std::unique_ptr<profiling::Observer> observer;
    profile::NumberedCounts profile;
    profile::NumberedCounts loads;  // the same by load, for the points of the progress
    std::vector<profile::ProgressPoint> points;
  };

  void add(size_t profiler);
  void watch(const Tuple* tuples, size_t count);
  void number(const Tuple* tuples, size_t count);
  void deliver(Member& member) const;
  void count(Member& member, uint32_t number, uint32_t n) const;
  void renumber();
  void end_point(uint64_t cycles);
  void fill_in(const Member& member, size_t profiler, ProfilerOutcome& outcome) const;

  const config::RunConfig& configuration_;
  std::vector<Member> members_;
  std::unique_ptr<profile::ExhaustiveProfile>
      exhaustive_;       // stays where it is: tracker_ refers to it
  RecentTuples recent_;  // of exhaustive_; none with a tracker_, which looks at counts
  std::optional<profile::ProgressTracker> tracker_;
  uint64_t to_point_ = 0;  // events until the next point
  profiling::TupleBatch batch_;
  std::vector<uint32_t> numbers_;   // that the exhaustive profile gives the tuples of the batch
  std::vector<uint32_t> searched_;  // places in the batch of those that are not recent
  unsigned halvings_ = 0;  // how many halvings of the exhaustive profile the numbers follow
  profiling::Observed observed_;
};

}  // namespace strobe::platform
