// Do the watchers count every selected event once, for every profiler that asked for it?
#include "sc_models/watch/watchers.h"

#include <gtest/gtest.h>

#include <numeric>

namespace strobe::platform {
namespace {

config::ProfilerConfig profiler(const char* name, config::ProfilerKind kind, const char* profile) {
  config::ProfilerConfig configuration;
  configuration.name = name;
  configuration.kind = kind;
  configuration.rate = 16;
  configuration.strata = 64;
  configuration.seed = 5;
  config::SelectorConfig selector;
  selector.profile = profile;
  configuration.selectors = {selector};
  return configuration;
}

RetireRecord branch(uint64_t pc, uint64_t next) {
  RetireRecord record;
  record.pc_rdata = pc;
  record.pc_wdata = next;
  record.mode = PrivilegeMode::kUser;
  record.opclass = OpClass::kBranch;
  return record;
}

uint64_t sum(const TupleCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), uint64_t{0},
                         [](uint64_t total, const auto& entry) { return total + entry.second; });
}

TEST(Watchers, ConserveEventsForEachProfilerAndShareTheExhaustiveProfile) {
  config::RunConfig configuration;
  configuration.profilers = {profiler("h", config::ProfilerKind::kStratified, "edge"),
                             profiler("p", config::ProfilerKind::kPeriodic, "edge"),
                             profiler("loads", config::ProfilerKind::kPeriodic, "value")};
  Watchers watchers(configuration);
  constexpr uint64_t kEvents = 5003;  // not a multiple of the batch
  for (uint64_t i = 0; i < kEvents; ++i) watchers.record(branch(0x1000 + 4 * (i % 7), 0x2000));
  std::vector<ProfilerOutcome> outcomes;
  watchers.finish(outcomes);
  ASSERT_EQ(outcomes.size(), 3u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(outcomes[i].events, kEvents);
    EXPECT_EQ(outcomes[i].message_counts + outcomes[i].residue, kEvents);
    EXPECT_EQ(sum(*outcomes[i].exhaustive), kEvents);
    EXPECT_EQ(outcomes[i].exhaustive->size(), 7u);
    EXPECT_EQ(sum(*outcomes[i].profile), outcomes[i].message_counts);
  }
  EXPECT_EQ(outcomes[2].events, 0u);
  EXPECT_TRUE(outcomes[2].exhaustive->empty());
}

TEST(Watchers, IgnoreTrappedInstructionsAndOtherModes) {
  config::RunConfig configuration;
  configuration.profilers = {profiler("p", config::ProfilerKind::kPeriodic, "edge")};
  Watchers watchers(configuration);
  RetireRecord trapped = branch(0x1000, 0x2000);
  trapped.trap = 1;
  watchers.record(trapped);
  RetireRecord machine = branch(0x1000, 0x2000);
  machine.mode = PrivilegeMode::kMachine;
  watchers.record(machine);
  watchers.record(branch(0x1000, 0x2000));
  std::vector<ProfilerOutcome> outcomes;
  watchers.finish(outcomes);
  EXPECT_EQ(outcomes[0].events, 1u);
}

TEST(Watchers, LetOneObserverStandForProfilersThatDifferInWidthOnly) {
  config::RunConfig configuration;
  configuration.profilers = {profiler("narrow", config::ProfilerKind::kStratified, "edge"),
                             profiler("wide", config::ProfilerKind::kStratified, "edge"),
                             profiler("fewer", config::ProfilerKind::kStratified, "edge")};
  configuration.profilers[1].counter_width = 10;
  configuration.profilers[2].rate = 32;
  Watchers watchers(configuration);
  for (uint64_t i = 0; i < 3000; ++i) watchers.record(branch(0x1000 + 4 * (i % 7), 0x2000));
  std::vector<ProfilerOutcome> outcomes;
  watchers.finish(outcomes);
  EXPECT_EQ(outcomes[0].profile, outcomes[1].profile);
  EXPECT_NE(outcomes[0].profile, outcomes[2].profile);
  EXPECT_EQ(outcomes[1].name, "wide");
  EXPECT_EQ(outcomes[1].events, 3000u);
  EXPECT_EQ(outcomes[1].messages, outcomes[0].messages);
  EXPECT_EQ(outcomes[1].storage_bits, 64u * 10);
  EXPECT_EQ(outcomes[0].storage_bits, 64u * 8);
}

}  // namespace
}  // namespace strobe::platform
