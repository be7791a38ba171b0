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

const std::string kSmallest = "workload: { elf: p.elf }\n";

std::string faults(const std::string& text, const std::vector<std::string>& sets = {}) {
  return to_text(load_run_text(text, "t.yaml", sets).diagnostics);
}

TEST(LoadRun, SmallestFileIsAllDefaults) {
  const LoadResult loaded = load_run_text(kSmallest, "t.yaml", {});
  ASSERT_EQ(to_text(loaded.diagnostics), "");
  EXPECT_EQ(loaded.configuration.core.rob, 128u);
  EXPECT_EQ(loaded.configuration.mode, Mode::kTiming);
  EXPECT_EQ(loaded.configuration.workload.elf, "p.elf");
  EXPECT_TRUE(loaded.configuration.profilers.empty());
}

TEST(LoadRun, UnknownKeyGetsTheNearestName) {
  EXPECT_EQ(faults(kSmallest + "sede: 2\n"),
            "t.yaml:2:1: error: sede: unknown key (did you mean 'seed'?)\n"
            "  sede: 2\n"
            "  ^\n");
}

TEST(LoadRun, UnknownKeyWithNothingNearGetsTheList) {
  EXPECT_EQ(faults(kSmallest + "zzzzzz: 2\n"),
            "t.yaml:2:1: error: zzzzzz: unknown key, expected one of: core, mode, workload, "
            "profilers, seed, max_cycles, max_instructions, interval, trace, baseline\n"
            "  zzzzzz: 2\n"
            "  ^\n");
}

TEST(LoadRun, MissingKeyIsReportedAtTheMapThatLacksIt) {
  EXPECT_EQ(faults("workload: { args: [] }\n"),
            "t.yaml:1:11: error: workload.elf: missing key\n"
            "  workload: { args: [] }\n"
            "            ^\n");
  EXPECT_THAT(faults("seed: 1\n"), HasSubstr("t.yaml:1:1: error: workload: missing key\n"));
}

TEST(LoadRun, OutOfRangeSaysRangeUnitAndValue) {
  EXPECT_EQ(faults(kSmallest + "core: { rob: 0 }\n"),
            "t.yaml:2:14: error: core.rob: out of range, expected 1 to 4096 instructions, got 0\n"
            "  core: { rob: 0 }\n"
            "               ^\n");
}

TEST(LoadRun, WrongTypesSayWhatWasExpected) {
  EXPECT_THAT(faults(kSmallest + "seed: [1]\n"),
              HasSubstr("seed: wrong type, expected an integer, got a list"));
  EXPECT_THAT(faults(kSmallest + "baseline: yes\n"),
              HasSubstr("baseline: wrong type, expected true or false, got 'yes'"));
  EXPECT_THAT(faults(kSmallest + "core: 4\n"),
              HasSubstr("core: wrong type, expected a map, got '4'"));
  EXPECT_THAT(faults(kSmallest + "profilers: { a: 1 }\n"),
              HasSubstr("profilers: wrong type, expected a list, got a map"));
  EXPECT_THAT(faults("workload: { elf: [] }\n"),
              HasSubstr("workload.elf: wrong type, expected text, got a list"));
  EXPECT_THAT(faults("workload: { elf: null }\n"),
              HasSubstr("workload.elf: wrong type, expected text, got nothing"));
  EXPECT_THAT(faults("[]\n"),
              HasSubstr("t.yaml:1:1: error: wrong type, expected a map, got a list"));
  EXPECT_THAT(faults(""), HasSubstr("wrong type, expected a map, got nothing"));
}

TEST(LoadRun, UnknownNamesGetTheNearestOne) {
  EXPECT_EQ(
      faults(kSmallest + "mode: timng\n"),
      "t.yaml:2:7: error: mode: unknown value, expected one of functional, timing, got 'timng' "
      "(did you mean 'timing'?)\n"
      "  mode: timng\n"
      "        ^\n");
}

TEST(LoadRun, EveryFaultIsReportedInOrderOfPlace) {
  EXPECT_EQ(
      faults("mode: timng\n"
             "sede: 3\n"
             "seed: 010\n"
             "workload: { elf: x.elf, args: 7, elf: y.elf }\n"
             "core: { rob: 5000 }\n"),
      "t.yaml:1:7: error: mode: unknown value, expected one of functional, timing, got 'timng' "
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

// --- keys that must fit together ---------------------------------------------------------------

struct Misfit {
  std::string text;
  std::string message;
};

TEST(Check, KeysThatDoNotFitTogetherAreRefused) {
  const std::vector<Misfit> misfits = {
      {"core: { rob: 2, reservation_stations: 2, decode_width: 2 }",
       "core.commit_width: expected at most core.rob, which is 2, got 4"},
      {"core: { rob: 16 }",
       "core.reservation_stations: expected at most core.rob, which is 16, got 80"},
      {"core: { rob: 3, reservation_stations: 3, commit_width: 1 }",
       "core.decode_width: expected at most core.rob, which is 3, got 4"},
      {"core: { fetch_buffer: 4, fetch_width: 8 }",
       "core.fetch_width: expected at most core.fetch_buffer, which is 4, got 8"},
      {"core: { fetch_buffer: 4, decode_width: 8 }",
       "core.decode_width: expected at most core.fetch_buffer, which is 4, got 8"},
      {"core: { fetch_block: 128 }",
       "core.fetch_block: expected at most core.memory.l1i.line, which is 64, got 128"},
      {"core: { front_end_stages: 1 }",
       "core.front_end_stages: out of range, expected 2 to 64 cycles, got 1"},
      {"core: { memory: { l1i: { latency: 7 } } }",
       "core.memory.l1i.latency: expected less than core.front_end_stages, which is 7 and has it "
       "inside, got 7"},
      {"core: { watchdog_cycles: 2000, syscall_cycles: 2000 }",
       "core.watchdog_cycles: expected more than the 2000 cycles that core.syscall_cycles lets one "
       "instruction take, got 2000"},
      {"core: { watchdog_cycles: 1000, memory: { dram_latency: 990 } }",
       "core.watchdog_cycles: expected more than the 1007 cycles that core.memory.dram_latency "
       "lets one instruction take, got 1000"},
      {"core: { memory: { l2: { size: 1_000_000 } } }",
       "core.memory.l2.size: expected a power of two, got 1000000"},
      {"core: { memory: { l1i: { ways: 3 } } }",
       "core.memory.l1i.ways: expected a power of two, got 3"},
      {"core: { memory: { l1d: { size: 512, ways: 1, line: 1024 }, l1i: { line: 1024 }, l2: { "
       "line: 1024 } } }",
       "core.memory.l1d.size: expected at least ways * line = 1024 bytes, got 512"},
      {"core: { predictor: { btb_ways: 3 } }",
       "core.predictor.btb_ways: expected a power of two, got 3"},
      {"core: { predictor: { btb_entries: 2 } }",
       "core.predictor.btb_ways: expected at most core.predictor.btb_entries, which is 2, got 4"},
      {"core: { predictor: { kind: tag } }",
       "expected one of perfect, static, bimodal, gshare, tage, got 'tag' (did you mean 'tage'?)"},
      {"core: { predictor: { tage: { tables: 4 } } }",
       "core.predictor.tage: has no meaning here: only for kind tage"},
      {"core: { predictor: { kind: tage, tage: { min_history: 200 } } }",
       "core.predictor.tage.min_history: expected at most core.predictor.tage.max_history, which "
       "is 128, got 200"},
      {"core: { fetch_block: 24 }", "core.fetch_block: expected a power of two, got 24"},
      {"core: { memory: { l1d: { size: 3000 } } }",
       "core.memory.l1d.size: expected a power of two, got 3000"},
      {"core: { memory: { l1d: { size: 64 } } }",
       "core.memory.l1d.size: expected at least ways * line = 128 bytes, got 64"},
      {"core: { memory: { l2: { line: 32 } } }",
       "core.memory.l2.line: expected the line size of core.memory.l1d, which is 64, got 32"},
      {"core: { predictor: { history_bits: 13 } }",
       "core.predictor.history_bits: expected at most core.predictor.table_bits, which is 12, got "
       "13"},
      {"profilers: [{ name: a, strata: 100 }]",
       "profilers.0.strata: expected a power of two, got 100"},
      {"profilers: [{ name: a, rate: 512 }]",
       "profilers.0.rate: expected at most 2^counter_width = 256, got 512"},
      {"profilers: [{ name: a, queue_depth: 48 }]",
       "profilers.0.queue_depth: expected a power of two, got 48"},
      {"profilers: [{ name: a, active: true, queue_depth: 2 }]",
       "core.commit_width: expected at most profilers.0.queue_depth, which is 2, got 4"},
      {"profilers: [{ name: a, watermark: 300 }]",
       "profilers.0.watermark: expected at most profilers.0.buffer_depth, which is 256, got 300"},
      {"profilers: [{ name: a, fidelity: rtl }]",
       "profilers.0.fidelity: expected model, because a profiler that is not active only watches; "
       "or "
       "make it active"},
      {"profilers: [{ name: a, active: true }]\nmode: functional",
       "profilers.0.active: an active profiler needs mode: timing, got functional"},
      {"interval: 5\nmode: functional", "interval: intervals need mode: timing, got functional"},
      {"profilers: [{ name: a, kind: random, active: true }]",
       "profilers.0.kind: expected stratified, the only compressor that can be active"},
      {"profilers: [{ name: a, active: true }, { name: b, active: true }]",
       "profilers.1.active: expected at most one active profiler, profilers.0 is active too"},
      {"profilers: [{ name: a }, { name: a }]",
       "profilers.1.name: expected a unique name, got 'a', which profilers.0 has too"},
      {"profilers: [{ name: '' }]", "profilers.0.name: expected a name, got an empty text"},
      {"profilers: [{ name: a, kind: random, strata: 64 }]",
       "profilers.0.strata: has no meaning here: only for kind stratified"},
      {"profilers: [{ name: a, seed: 64 }]",
       "profilers.0.seed: has no meaning here: only for kind random"},
      {"profilers: [{ name: a, selectors: [{ profile: edge }, { profile: value }] }]",
       "profilers.0.selectors.1.tag: expected another tag than profilers.0.selectors.0's, which is "
       "0: their tuples could not be told apart"},
      {"profilers: [{ name: a, selectors: [{ profile: edge, modes: [] }] }]",
       "profilers.0.selectors.0.modes: expected at least one of user, machine, got none"},
      {"profilers: [{ name: a, selectors: [{ profile: edge, pc: [2, 1] }] }]",
       "profilers.0.selectors.0.pc: empty interval, expected lowest <= highest, got [0x2, 0x1]"},
      {"profilers: [{ name: a, selectors: [{ profile: edge, pc: [2] }] }]",
       "profilers.0.selectors.0.pc: wrong length, expected [lowest, highest], got 1 items"},
      {"profilers: [{ name: a, selectors: [{ profile: edge, opclasses: [lod] }] }]",
       "got 'lod' (did you mean 'load'?)"},
      {"workload: { elf: x, env: [NOVALUE] }", "workload.env.0: expected KEY=VALUE, got 'NOVALUE'"},
      {"workload: { elf: x, memory: 4_000_000_000 }",
       "workload.memory: out of range, expected 1048576 to 2147483648 bytes, got 4000000000"},
  };
  for (const Misfit& misfit : misfits) {
    const bool whole = misfit.text.rfind("workload", 0) == 0;
    const std::string text = misfit.text + "\n" + (whole ? "" : kSmallest);
    const Diagnostics diagnostics = load_run_text(text, "t.yaml", {}).diagnostics;
    EXPECT_EQ(diagnostics.size(), 1u) << misfit.text << "\n" << to_text(diagnostics);
    EXPECT_THAT(to_text(diagnostics), HasSubstr(misfit.message)) << misfit.text;
  }
}

TEST(Check, NothingOfACoreThatHasToExistMayBeZero) {
  for (const char* key : {"fetch_width",
                          "decode_width",
                          "issue_width",
                          "commit_width",
                          "fetch_block",
                          "front_end_stages",
                          "fetch_buffer",
                          "rob",
                          "reservation_stations",
                          "load_queue",
                          "store_queue",
                          "alu.count",
                          "mul.latency",
                          "div.interval",
                          "fp.count",
                          "fp_div.latency",
                          "mem.interval",
                          "forward_latency",
                          "watchdog_cycles",
                          "predictor.table_bits",
                          "predictor.btb_entries",
                          "predictor.btb_ways",
                          "predictor.ras_entries",
                          "memory.l1i.size",
                          "memory.l1d.ways",
                          "memory.l2.line",
                          "memory.l1i.latency",
                          "memory.l1d.mshrs",
                          "memory.dram_latency",
                          "memory.dram_interval",
                          "memory.device_latency"}) {
    const std::string path = std::string("core.") + key;
    const Diagnostics faults = load_run_text(kSmallest, "t.yaml", {path + "=0"}).diagnostics;
    EXPECT_EQ(faults.size(), 1u) << path << "\n" << to_text(faults);
    EXPECT_THAT(to_text(faults), HasSubstr(path + ": out of range, expected ")) << path;
  }
}

TEST(Check, NineSelectorsAreOneTooMany) {
  std::string items;
  for (int i = 0; i < 9; ++i) items += "{ profile: edge },";
  EXPECT_THAT(faults(kSmallest + "profilers: [{ name: a, selectors: [" + items + "] }]\n"),
              HasSubstr("profilers.0.selectors: expected at most 8 selectors, got 9"));
}

TEST(Check, AFaultyKeyIsNotReportedTwice) {
  EXPECT_EQ(load_run_text(kSmallest + "profilers: [{ name: a, rate: 5000 }]\n", "t.yaml", {})
                .diagnostics.size(),
            1u);
}

// --- what is derived ---------------------------------------------------------------------------

TEST(Derive, WatchersWithoutSelectorsTakeThoseOfTheActiveProfiler) {
  const LoadResult loaded = load_run_text(
      kSmallest +
          "profilers:\n"
          "  - { name: watcher, kind: random }\n"
          "  - { name: own, kind: periodic, selectors: [{ profile: address, tag: 3 }] }\n"
          "  - { name: active, active: true, selectors: [{ profile: edge }, { profile: value, tag: "
          "1 "
          "}] }\n",
      "t.yaml", {});
  ASSERT_EQ(to_text(loaded.diagnostics), "");
  const auto& profilers = loaded.configuration.profilers;
  ASSERT_EQ(profilers[0].selectors.size(), 2u);
  EXPECT_EQ(profilers[0].selectors[1].profile, "value");
  EXPECT_EQ(profilers[0].selectors[1].tag, 1u);
  ASSERT_EQ(profilers[1].selectors.size(), 1u);
  EXPECT_EQ(profilers[1].selectors[0].profile, "address");
}

TEST(Derive, WithoutAnySelectorTheEdgesAreProfiled) {
  const LoadResult loaded =
      load_run_text(kSmallest + "profilers: [{ name: a }, { name: b }]\n", "t.yaml", {});
  ASSERT_EQ(to_text(loaded.diagnostics), "");
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
      kSmallest + "profilers: [{ name: a }]\n", "t.yaml",
      {"profilers.0.rate=64", "core.memory.l1d.ways=4", "workload.args=[a, b]", "mode=functional",
       "workload.stdin=null", "profilers.0.selectors=[{ profile: value }]"});
  ASSERT_EQ(to_text(loaded.diagnostics), "");
  EXPECT_EQ(loaded.configuration.profilers[0].rate, 64u);
  EXPECT_EQ(loaded.configuration.core.memory.l1d.ways, 4u);
  EXPECT_THAT(loaded.configuration.workload.args, testing::ElementsAre("a", "b"));
  EXPECT_EQ(loaded.configuration.mode, Mode::kFunctional);
  EXPECT_EQ(loaded.configuration.profilers[0].selectors[0].profile, "value");
}

TEST(Override, LastOneWins) {
  EXPECT_EQ(load_run_text(kSmallest, "t.yaml", {"seed=2", "seed=3"}).configuration.seed, 3u);
}

TEST(Override, CanMendAFile) {
  EXPECT_EQ(faults("workload: { elf: p.elf }\nseed: bad\n", {"seed=3"}), "");
}

TEST(Override, FaultsNameTheOverride) {
  EXPECT_EQ(faults(kSmallest, {"seed=x"}),
            "--set 'seed=x': error: seed: wrong type, expected an integer, got 'x'\n");
  EXPECT_EQ(faults(kSmallest, {"sed=1"}),
            "--set 'sed=1': error: sed: unknown key (did you mean 'seed'?)\n");
  EXPECT_EQ(faults(kSmallest, {"seed"}),
            "--set 'seed': error: wrong form, expected a.b.0.c=VALUE\n");
  EXPECT_EQ(faults(kSmallest, {"a..b=1"}),
            "--set 'a..b=1': error: wrong form, expected a.b.0.c=VALUE\n");
  EXPECT_EQ(faults(kSmallest, {"profilers=[]", "profilers.0.rate=1"}),
            "--set 'profilers.0.rate=1': error: profilers.0: no such item, expected an index below "
            "0, got '0'\n");
  EXPECT_EQ(faults(kSmallest, {"workload.elf.x=1"}),
            "--set 'workload.elf.x=1': error: workload.elf.x: no such key, 'workload.elf' is a "
            "value, not a map\n");
  EXPECT_THAT(faults(kSmallest, {"seed=[1"}), testing::StartsWith("--set 'seed=[1': error: "));
}

// --- includes ----------------------------------------------------------------------------------

TEST(Include, KeysBesideItWinAndMapsAreMerged) {
  const Scratch scratch;
  scratch.write("cores/c.yaml",
                "rob: 64\nreservation_stations: 32\nmemory: { l1d: { ways: 4, latency: 3 } }\n");
  const std::string file = scratch.write(
      "runs/r.yaml", kSmallest +
                         "core:\n  memory: { l1d: { latency: 5 } }\n  include: ../cores/c.yaml\n"
                         "  rob: 256\n");
  const LoadResult loaded = load_run_config(file, {});
  ASSERT_EQ(to_text(loaded.diagnostics), "");
  EXPECT_EQ(loaded.configuration.core.rob, 256u);
  EXPECT_EQ(loaded.configuration.core.reservation_stations, 32u);
  EXPECT_EQ(loaded.configuration.core.memory.l1d.ways, 4u);
  EXPECT_EQ(loaded.configuration.core.memory.l1d.latency, 5u);
}

TEST(Include, MissingFileNamesBothFiles) {
  const Scratch scratch;
  const std::string file =
      scratch.write("r.yaml", kSmallest + "core: { include: cores/none.yaml }\n");
  EXPECT_EQ(to_text(load_run_config(file, {}).diagnostics),
            file + ":2:18: error: core.include: cannot read the included file '" +
                scratch.file("cores/none.yaml") +
                "': No such file or directory\n"
                "  core: { include: cores/none.yaml }\n"
                "                   ^\n");
}

TEST(Include, CycleIsRefused) {
  const Scratch scratch;
  const std::string file = scratch.write("r.yaml", kSmallest + "core: { include: a.yaml }\n");
  scratch.write("a.yaml", "include: b.yaml\n");
  scratch.write("b.yaml", "include: a.yaml\n");
  EXPECT_EQ(to_text(load_run_config(file, {}).diagnostics),
            scratch.file("b.yaml") + ":1:10: error: core.include: include cycle, '" +
                scratch.file("a.yaml") + "' includes itself through '" + scratch.file("b.yaml") +
                "'\n"
                "  include: a.yaml\n"
                "           ^\n");
}

TEST(Include, FaultsInAnIncludedFileHaveItsPlaces) {
  const Scratch scratch;
  const std::string file = scratch.write("r.yaml", kSmallest + "core: { include: c.yaml }\n");
  scratch.write("c.yaml", "# comment\nrbo: 64\n");
  EXPECT_EQ(to_text(load_run_config(file, {}).diagnostics),
            scratch.file("c.yaml") +
                ":2:1: error: core.rbo: unknown key (did you mean 'rob'?)\n"
                "  rbo: 64\n"
                "  ^\n");
}

TEST(Include, OverrideNamesAnotherFileInPlaceOfTheFirst) {
  const Scratch scratch;
  const std::string file = scratch.write("r.yaml", kSmallest + "core: { include: a.yaml }\n");
  scratch.write("a.yaml", "rob: 64\nreservation_stations: 8\n");
  scratch.write("b.yaml", "rob: 32\n");
  const LoadResult loaded =
      load_run_config(file, {"core.include=b.yaml", "core.reservation_stations=16"});
  ASSERT_EQ(to_text(loaded.diagnostics), "");
  EXPECT_EQ(loaded.configuration.core.rob, 32u);
  EXPECT_EQ(loaded.configuration.core.reservation_stations, 16u);
}

TEST(Include, MissingRunFileIsOneSentence) {
  EXPECT_EQ(to_text(load_run_config("/nowhere/r.yaml", {}).diagnostics),
            "/nowhere/r.yaml: error: cannot read the file: No such file or directory\n");
}

// --- paths -------------------------------------------------------------------------------------

TEST(Paths, AreRelativeToTheFileThatNamesThem) {
  const Scratch scratch;
  const std::string file =
      scratch.write("runs/r.yaml", "workload: { include: ../workloads/w.yaml, stdin: in.txt }\n");
  scratch.write("workloads/w.yaml", "elf: p.elf\nsandbox: { read: [data, /abs] }\n");
  const LoadResult loaded = load_run_config(file, {});
  ASSERT_EQ(to_text(loaded.diagnostics), "");
  const WorkloadConfig& workload = loaded.configuration.workload;
  EXPECT_EQ(workload.elf, scratch.file("workloads/p.elf"));
  EXPECT_EQ(workload.elf_name, "../workloads/p.elf");
  EXPECT_EQ(workload.stdin_file, scratch.file("runs/in.txt"));
  EXPECT_THAT(workload.read, testing::ElementsAre(scratch.file("workloads/data"), "/abs"));
  EXPECT_THAT(loaded.effective, HasSubstr("read: [../workloads/data, /abs]"));
}

TEST(Paths, BuildPrefixIsBelowTheBuiltGuestPrograms) {
  ASSERT_EQ(setenv("STROBE_GUEST_DIR", "/guests", 1), 0);
  const LoadResult set = load_run_text("workload: { elf: 'build:workloads/lz.elf' }\n", "t", {});
  unsetenv("STROBE_GUEST_DIR");
  EXPECT_EQ(set.configuration.workload.elf, "/guests/workloads/lz.elf");
  EXPECT_EQ(set.configuration.workload.elf_name, "build:workloads/lz.elf");
  const LoadResult unset = load_run_text("workload: { elf: 'build:workloads/lz.elf' }\n", "t", {});
  EXPECT_EQ(unset.configuration.workload.elf,
            std::string(STROBE_BINARY_DIR) + "/guest/workloads/lz.elf");
}

TEST(Paths, CachePrefixIsBelowTheFetchedPrograms) {
  ASSERT_EQ(setenv("STROBE_WORKLOADS", "/fetched", 1), 0);
  const LoadResult set =
      load_run_text("workload: { elf: 'cache:a/a.elf', stdin: 'cache:a/input' }\n", "t", {});
  unsetenv("STROBE_WORKLOADS");
  EXPECT_EQ(set.configuration.workload.elf, "/fetched/a/a.elf");
  EXPECT_EQ(set.configuration.workload.elf_name, "cache:a/a.elf");
  EXPECT_EQ(set.configuration.workload.stdin_file, "/fetched/a/input");
}

// --- the effective configuration -----------------------------------------------------------------

TEST(Effective, HoldsNoPathOfTheHostThatTheUserDidNotWrite) {
  const std::string quickstart = std::string(STROBE_SOURCE_DIR) + "/configs/runs/quickstart.yaml";
  const LoadResult loaded = load_run_config(quickstart, {});
  ASSERT_EQ(to_text(loaded.diagnostics), "");
  EXPECT_THAT(loaded.effective, Not(HasSubstr(STROBE_SOURCE_DIR)));
  EXPECT_THAT(loaded.effective, Not(HasSubstr(STROBE_BINARY_DIR)));
}

TEST(Effective, IsTheSameFromWhateverDirectory) {
  namespace fs = std::filesystem;
  const fs::path before = fs::current_path();
  const fs::path root = STROBE_SOURCE_DIR;
  const std::string absolute =
      load_run_config((root / "configs/runs/quickstart.yaml").string(), {}).effective;
  fs::current_path(root / "configs/runs");
  const std::string beside = load_run_config("quickstart.yaml", {}).effective;
  fs::current_path(root);
  const std::string above = load_run_config("configs/runs/quickstart.yaml", {}).effective;
  fs::current_path(before);
  EXPECT_EQ(absolute, beside);
  EXPECT_EQ(absolute, above);
  EXPECT_NE(absolute, "");
}

std::string without_comments(const std::string& yaml) {
  std::string out;
  std::istringstream stream(yaml);
  for (std::string line; std::getline(stream, line);) {
    line.resize(std::min(line.size(), line.find("  # ")));
    line.resize(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

TEST(Effective, LoadsAgainToTheSameConfiguration) {
  const Scratch scratch;
  const std::string text =
      "workload:\n"
      "  elf: sub/p.elf\n"
      "  args: ['7', \"a b\", '', 'null', \"q\\\"\\\\\", \"\\x01\", '# no comment', 'x: y', '- "
      "z']\n"
      "  env: ['A=b c']\n"
      "  stdin: in.txt\n"
      "  sandbox: { read: ['with space', other], write: [out] }\n"
      "  roi: { skip: 18446744073709551615 }\n"
      "core: { frequency_ghz: 2.4, predictor: { kind: bimodal } }\n"
      "profilers:\n"
      "  - { name: 'x y', active: true, fidelity: lockstep, selectors: [{ profile: edge, pc: "
      "[0x10, "
      "0x20], opclasses: [branch], modes: [machine], tag: 2 }] }\n"
      "  - { name: r, kind: random, seed: 9 }\n"
      "  - { name: p, kind: periodic }\n";
  const LoadResult first = load_run_config(scratch.write("r.yaml", text), {"max_cycles=5"});
  ASSERT_EQ(to_text(first.diagnostics), "");
  const LoadResult again = load_run_config(scratch.write("effective.yaml", first.effective), {});
  ASSERT_EQ(to_text(again.diagnostics), "");
  EXPECT_EQ(without_comments(again.effective), without_comments(first.effective));
  EXPECT_EQ(again.configuration.workload.args, first.configuration.workload.args);
  EXPECT_EQ(again.configuration.workload.elf, first.configuration.workload.elf);
  EXPECT_EQ(again.configuration.workload.read, first.configuration.workload.read);
  EXPECT_EQ(again.configuration.profilers[0].selectors[0].pc_hi, 0x20u);
  EXPECT_EQ(again.configuration.core.frequency_ghz, 2.4);
}

TEST(Effective, EachValueHasItsOrigin) {
  const Scratch scratch;
  scratch.write("c.yaml", "\nrob: 64\nreservation_stations: 8\n");
  const std::string file =
      scratch.write("r.yaml", kSmallest + "core: { include: c.yaml }\nprofilers: [{ name: a }]\n");
  const LoadResult loaded = load_run_config(file, {"seed=7"});
  ASSERT_EQ(to_text(loaded.diagnostics), "");
  std::map<std::string, std::string> origins;
  for (const EffectiveValue& value : loaded.values) origins[value.path] = value.origin;
  EXPECT_EQ(origins["core.rob"], "c.yaml:2");
  EXPECT_EQ(origins["workload.elf"], "r.yaml:1");
  EXPECT_EQ(origins["seed"], "--set");
  EXPECT_EQ(origins["mode"], "default");
  EXPECT_EQ(origins["profilers.0.selectors.0.profile"], "derived");
}

TEST(Effective, AllShippedRunsLoad) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(STROBE_SOURCE_DIR) + "/configs/runs")) {
    EXPECT_EQ(to_text(load_run_config(entry.path().string(), {}).diagnostics), "");
    ++count;
  }
  EXPECT_GE(count, 1);
}

TEST(Effective, AllShippedCoresAndProfilersLoadInPlaceOfTheQuickstartsOwn) {
  const std::string root = std::string(STROBE_SOURCE_DIR) + "/configs/";
  int count = 0;
  for (const char* folder : {"cores", "profilers"}) {
    for (const auto& entry : std::filesystem::directory_iterator(root + folder)) {
      const std::string key = std::string(folder) == "cores" ? "core" : "profilers.0";
      const LoadResult loaded = load_run_config(root + "runs/quickstart.yaml",
                                                {key + ".include=" + entry.path().string()});
      EXPECT_EQ(to_text(loaded.diagnostics), "");
      ++count;
    }
  }
  EXPECT_GE(count, 3);
}

TEST(Effective, ShippedCoresNameEveryKeySoThatNoNumberIsHidden) {
  const std::string root = std::string(STROBE_SOURCE_DIR) + "/configs/";
  for (const auto& entry : std::filesystem::directory_iterator(root + "cores")) {
    const LoadResult loaded =
        load_run_config(root + "runs/quickstart.yaml", {"core.include=" + entry.path().string()});
    for (const EffectiveValue& value : loaded.values) {
      if (value.path.rfind("core.", 0) != 0) continue;
      EXPECT_NE(value.origin, "default") << entry.path() << " " << value.path;
    }
  }
}

TEST(TimingModelPage, NamesTheProofOfEveryKeyOfACore) {
  std::ifstream file(std::string(STROBE_SOURCE_DIR) + "/docs/timing-model.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const LoadResult loaded =
      load_run_text(kSmallest, "t.yaml",
                    {"core.predictor.kind=tage", "core.memory.l1i.prefetch=stride",
                     "core.memory.l1d.prefetch=stride", "core.memory.l2.prefetch=stride"});
  EXPECT_EQ(to_text(loaded.diagnostics), "");
  for (const EffectiveValue& value : loaded.values) {
    if (value.path.rfind("core.", 0) != 0 || value.path == "core.name") continue;
    EXPECT_THAT(page, HasSubstr("`" + value.path.substr(5) + "`"));
  }
}

}  // namespace
}  // namespace strobe::config
