// Does a run file become the configuration it says, and does every fault get its sentence?
#include "sw/config/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/unit/config/scratch.h"

namespace strobe::config {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kSmallestRun = "workload: { elf: p.elf }\n";

std::string load_faults(const std::string& text, const std::vector<std::string>& sets = {}) {
  return text::to_text(load_run_text(text, "t.yaml", sets).diagnostics);
}

TEST(LoadRun, SmallestFileIsAllDefaults) {
  const LoadResult loaded = load_run_text(kSmallestRun, "t.yaml", {});
  ASSERT_EQ(text::to_text(loaded.diagnostics), "");
  EXPECT_EQ(loaded.configuration.core.rob, 128u);
  EXPECT_EQ(loaded.configuration.mode, Mode::kTiming);
  EXPECT_EQ(loaded.configuration.workload.elf, "p.elf");
  EXPECT_TRUE(loaded.configuration.profilers.empty());
}

TEST(LoadRun, UnknownKeyGetsTheNearestName) {
  EXPECT_EQ(load_faults(kSmallestRun + "sede: 2\n"),
            "t.yaml:2:1: error: sede: unknown key (did you mean 'seed'?)\n"
            "  sede: 2\n"
            "  ^\n");
}

TEST(LoadRun, ASweepFileGetsOneSentenceWithTheCommandForIt) {
  EXPECT_EQ(load_faults("base: run.yaml\nseeds: [1, 2]\ngrid: { core.rob: [96, 112] }\n"
                        "objectives: [{ min: cycles }]\n"),
            "t.yaml:1:1: error: base: this is a sweep file, which names a run file as its base: "
            "expected a run file; start it with 'strobe sweep FILE'\n"
            "  base: run.yaml\n"
            "  ^\n");
}

TEST(LoadRun, UnknownKeyWithNothingNearGetsTheList) {
  EXPECT_EQ(
      load_faults(kSmallestRun + "zzzzzz: 2\n"),
      "t.yaml:2:1: error: zzzzzz: unknown key, expected one of: core, mode, sampling, workload, "
      "profilers, seed, max_cycles, max_instructions, interval, limits, decode, instrument, "
      "counters, shim, progress, truth, timer, exhaustive_bytes, exhaustive_profiles, "
      "trace, baseline\n"
      "  zzzzzz: 2\n"
      "  ^\n");
}

TEST(LoadRun, MissingKeyIsReportedAtTheMapThatLacksIt) {
  EXPECT_EQ(load_faults("workload: { args: [] }\n"),
            "t.yaml:1:11: error: workload.elf: missing key\n"
            "  workload: { args: [] }\n"
            "            ^\n");
  EXPECT_THAT(load_faults("seed: 1\n"), HasSubstr("t.yaml:1:1: error: workload: missing key\n"));
}

TEST(LoadRun, OutOfRangeSaysRangeUnitAndValue) {
  EXPECT_EQ(load_faults(kSmallestRun + "core: { rob: 0 }\n"),
            "t.yaml:2:14: error: core.rob: out of range, expected 1 to 4096 instructions, got 0\n"
            "  core: { rob: 0 }\n"
            "               ^\n");
}

TEST(LoadRun, WrongTypesSayWhatWasExpected) {
  EXPECT_THAT(load_faults(kSmallestRun + "seed: [1]\n"),
              HasSubstr("seed: wrong type, expected an integer, got a list"));
  EXPECT_THAT(load_faults(kSmallestRun + "baseline: yes\n"),
              HasSubstr("baseline: wrong type, expected true or false, got 'yes'"));
  EXPECT_THAT(load_faults(kSmallestRun + "core: 4\n"),
              HasSubstr("core: wrong type, expected a map, got '4'"));
  EXPECT_THAT(load_faults(kSmallestRun + "profilers: { a: 1 }\n"),
              HasSubstr("profilers: wrong type, expected a list, got a map"));
  EXPECT_THAT(load_faults("workload: { elf: [] }\n"),
              HasSubstr("workload.elf: wrong type, expected text, got a list"));
  EXPECT_THAT(load_faults("workload: { elf: null }\n"),
              HasSubstr("workload.elf: wrong type, expected text, got nothing"));
  EXPECT_THAT(load_faults("[]\n"),
              HasSubstr("t.yaml:1:1: error: wrong type, expected a map, got a list"));
  EXPECT_THAT(load_faults(""), HasSubstr("wrong type, expected a map, got nothing"));
}

TEST(LoadRun, UnknownNamesGetTheNearestOne) {
  EXPECT_EQ(load_faults(kSmallestRun + "mode: timng\n"),
            "t.yaml:2:7: error: mode: unknown value, expected one of functional, timing, sampled, "
            "got 'timng' "
            "(did you mean 'timing'?)\n"
            "  mode: timng\n"
            "        ^\n");
}

TEST(LoadRun, EveryFaultIsReportedInOrderOfPlace) {
  EXPECT_EQ(
      load_faults("mode: timng\n"
                  "sede: 3\n"
                  "seed: 010\n"
                  "workload: { elf: x.elf, args: 7, elf: y.elf }\n"
                  "core: { rob: 5000 }\n"),
      "t.yaml:1:7: error: mode: unknown value, expected one of functional, timing, sampled, got "
      "'timng' "
      "(did you mean 'timing'?)\n"
      "  mode: timng\n"
      "        ^\n"
      "t.yaml:2:1: error: sede: unknown key (did you mean 'seed'?)\n"
      "  sede: 3\n"
      "  ^\n"
      "t.yaml:3:7: error: seed: wrong type, expected an integer, got '010', which some readers "
      "take as octal; write it without the leading zero\n"
      "  seed: 010\n"
      "        ^\n"
      "t.yaml:4:31: error: workload.args: wrong type, expected a list, got '7'\n"
      "  workload: { elf: x.elf, args: 7, elf: y.elf }\n"
      "                                ^\n"
      "t.yaml:4:34: error: workload.elf: duplicate key, expected it once, first given in line "
      "4\n"
      "  workload: { elf: x.elf, args: 7, elf: y.elf }\n"
      "                                   ^\n"
      "t.yaml:5:14: error: core.rob: out of range, expected 1 to 4096 instructions, got 5000\n"
      "  core: { rob: 5000 }\n"
      "               ^\n");
}

// --- what is derived ---------------------------------------------------------------------------

TEST(Derive, WatchersWithoutSelectorsTakeThoseOfTheActiveProfiler) {
  const LoadResult loaded = load_run_text(
      kSmallestRun +
          "profilers:\n"
          "  - { name: watcher, kind: random }\n"
          "  - { name: own, kind: periodic, selectors: [{ profile: address, tag: 3 }] }\n"
          "  - { name: active, active: true, selectors: [{ profile: edge }, { profile: value, tag: "
          "1 "
          "}] }\n",
      "t.yaml", {});
  ASSERT_EQ(text::to_text(loaded.diagnostics), "");
  const auto& profilers = loaded.configuration.profilers;
  ASSERT_EQ(profilers[0].selectors.size(), 2u);
  EXPECT_EQ(profilers[0].selectors[1].profile, "value");
  EXPECT_EQ(profilers[0].selectors[1].tag, 1u);
  ASSERT_EQ(profilers[1].selectors.size(), 1u);
  EXPECT_EQ(profilers[1].selectors[0].profile, "address");
}

TEST(Derive, WithoutAnySelectorTheEdgesAreProfiled) {
  const LoadResult loaded =
      load_run_text(kSmallestRun + "profilers: [{ name: a }, { name: b }]\n", "t.yaml", {});
  ASSERT_EQ(text::to_text(loaded.diagnostics), "");
  for (const ProfilerConfig& profiler : loaded.configuration.profilers) {
    ASSERT_EQ(profiler.selectors.size(), 1u);
    EXPECT_EQ(profiler.selectors[0].profile, "edge");
    EXPECT_TRUE(profiler.selectors[0].user);
    EXPECT_FALSE(profiler.selectors[0].machine);
  }
}

// --- overrides ---------------------------------------------------------------------------------

TEST(Override, ReplacesValuesDeepInListsAndMaps) {
  const LoadResult loaded = load_run_text(
      kSmallestRun + "profilers: [{ name: a }]\n", "t.yaml",
      {"profilers.0.rate=64", "core.memory.l1d.ways=4", "workload.args=[a, b]", "mode=functional",
       "workload.stdin=null", "profilers.0.selectors=[{ profile: value }]"});
  ASSERT_EQ(text::to_text(loaded.diagnostics), "");
  EXPECT_EQ(loaded.configuration.profilers[0].rate, 64u);
  EXPECT_EQ(loaded.configuration.core.memory.l1d.ways, 4u);
  EXPECT_THAT(loaded.configuration.workload.args, testing::ElementsAre("a", "b"));
  EXPECT_EQ(loaded.configuration.mode, Mode::kFunctional);
  EXPECT_EQ(loaded.configuration.profilers[0].selectors[0].profile, "value");
}

TEST(Override, LastOneWins) {
  EXPECT_EQ(load_run_text(kSmallestRun, "t.yaml", {"seed=2", "seed=3"}).configuration.seed, 3u);
}

TEST(Override, CanMendAFile) {
  EXPECT_EQ(load_faults("workload: { elf: p.elf }\nseed: bad\n", {"seed=3"}), "");
}

TEST(Override, FaultsNameTheOverride) {
  EXPECT_EQ(load_faults(kSmallestRun, {"seed=x"}),
            "--set 'seed=x': error: seed: wrong type, expected an integer, got 'x'\n");
  EXPECT_EQ(load_faults(kSmallestRun, {"sed=1"}),
            "--set 'sed=1': error: sed: unknown key (did you mean 'seed'?)\n");
  EXPECT_EQ(load_faults(kSmallestRun, {"seed"}),
            "--set 'seed': error: wrong form, expected a.b.0.c=VALUE\n");
  EXPECT_EQ(load_faults(kSmallestRun, {"a..b=1"}),
            "--set 'a..b=1': error: wrong form, expected a.b.0.c=VALUE\n");
  EXPECT_EQ(
      load_faults(kSmallestRun, {"profilers=[]", "profilers.0.rate=1"}),
      "--set 'profilers.0.rate=1': error: profilers.0: no such list item, expected an index below "
      "0, got '0'\n");
  EXPECT_EQ(load_faults(kSmallestRun, {"workload.elf.x=1"}),
            "--set 'workload.elf.x=1': error: workload.elf.x: no such key, 'workload.elf' is a "
            "value, not a map\n");
  EXPECT_THAT(load_faults(kSmallestRun, {"seed=[1"}),
              testing::StartsWith("--set 'seed=[1': error: "));
}

}  // namespace
}  // namespace strobe::config
