// Do the pipeline view and the waveforms show what the run did, and only within their window?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "tests/e2e/process/strobe_process.h"
#include "tests/e2e/run/waveform.h"
#include "tests/timing/core/trace/kanata_log.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

constexpr uint64_t kFrom = 70000, kTo = 72000;

/// A small RTL point whose buffer soon raises interrupts; traced points are built on demand, once.
class Trace : public testing::Test {
 protected:
  Trace() { setenv("STROBE_CACHE", in_build("test-cache").c_str(), 1); }
  ~Trace() override { unsetenv("STROBE_CACHE"); }

  ProcessResult run(const std::string& name, const std::string& trace,
                    std::vector<std::string> more = {}) const {
    const std::string text =
        "core: { include: " + in_source("configs/cores/hps2005.yaml") + ", commit_width: 2 }\n" +
        "workload: { elf: " + workload("lz") +
        ", args: [tiny] }\n"
        "profilers: [{ name: strat, kind: stratified, active: true, fidelity: rtl, rate: 4, "
        "strata: 16, counter_width: 4, queue_depth: 8, buffer_depth: 4, watermark: 2, "
        "selectors: [{ profile: edge }] }]\n"
        "baseline: false\n"
        "max_cycles: 75000\n"
        "trace: " +
        trace + "\n";
    const fs::path file = scratch_.write("run.yaml", text);
    std::vector<std::string> args = {"run", file.string(), "--out", out(name).string()};
    args.insert(args.end(), more.begin(), more.end());
    return strobe(args);
  }
  fs::path out(const std::string& name) const { return scratch_.path() / name; }

  static std::string window(const std::string& files) {
    return "{ " + files + ", from: " + std::to_string(kFrom) + ", to: " + std::to_string(kTo) +
           " }";
  }
  uint64_t committed_in_region(const std::string& name) const {
    const nlohmann::json result = read_json(out(name) / "result.json");
    return result.at("instructions").get<uint64_t>() +
           result.at("machine_instructions").get<uint64_t>();
  }

 private:
  ScratchDirectory scratch_;
};

TEST_F(Trace, ThePipelineLogHasAsManyRetirementsInItsWindowAsTheRun) {
  const ProcessResult traced =
      run("traced", window("pipeline: p.log"), {"--set", "max_cycles=" + std::to_string(kTo)});
  EXPECT_EQ(traced.exit_code, 4) << traced.err;  // the limit is what ends these runs
  run("before", "{}", {"--set", "max_cycles=" + std::to_string(kFrom)});
  run("after", "{}", {"--set", "max_cycles=" + std::to_string(kTo)});
  const test::KanataLog log = test::read_kanata(out("traced") / "p.log");
  EXPECT_THAT(log.violations, IsEmpty());
  EXPECT_GT(log.retired(kFrom, kTo), 100u);
  EXPECT_EQ(log.retired(kFrom, kTo), committed_in_region("after") - committed_in_region("before"));
  EXPECT_EQ(log.first_cycle, kFrom);
  EXPECT_EQ(read_file(out("traced") / "result.json"), read_file(out("after") / "result.json"));
}

TEST_F(Trace, ThePipelineLogShowsTheInterruptHandler) {
  const ProcessResult traced = run("traced", window("pipeline: p.log"));
  EXPECT_EQ(traced.exit_code, 4) << traced.err;
  const test::KanataLog log = test::read_kanata(out("traced") / "p.log");
  EXPECT_THAT(log.violations, IsEmpty());
  EXPECT_TRUE(std::any_of(log.insns.begin(), log.insns.end(), [](const test::KanataInsn& insn) {
    return !insn.flushed && insn.detail == "first of the interrupt handler";
  }));
}

TEST_F(Trace, WaveformsChangeInTheirWindowAndNowhereElse) {
  const ProcessResult traced = run("traced", window("waves: w.vcd"));
  EXPECT_EQ(traced.exit_code, 4) << traced.err;
  const Waveform waves = read_vcd(out("traced") / "w.vcd");
  const auto& clock = waves.at("clk_i");
  EXPECT_EQ(clock.size(), 2 * (kTo - kFrom)) << "two edges a cycle, skipped cycles too";
  EXPECT_EQ(clock.front(), std::make_pair(kFrom * 1000, std::string("1")));
  EXPECT_EQ(clock.back(), std::make_pair((kTo - 1) * 1000 + 500, std::string("0")));
  EXPECT_GT(waves.at("rvfi_valid_i").size(), 100u);
  EXPECT_GT(waves.at("irq_o").size(), 2u);
  for (const auto& [name, changes] : waves) {
    EXPECT_GE(changes.front().first, kFrom * 1000) << name;
    EXPECT_LT(changes.back().first, kTo * 1000) << name;
  }
}

TEST_F(Trace, WaveformsHoldTheRetirementsOfTheVeryCyclesOfThePipelineLog) {
  const ProcessResult traced = run("traced", window("pipeline: p.log, waves: w.vcd"));
  EXPECT_EQ(traced.exit_code, 4) << traced.err;
  const test::KanataLog log = test::read_kanata(out("traced") / "p.log");
  std::map<uint64_t, unsigned> lanes;  // a cycle: commits in it, traps too
  for (const test::KanataInsn& insn : log.insns) {
    const uint64_t cycle = insn.begin("Cm");
    if (cycle >= kFrom && cycle < kTo) ++lanes[cycle];
  }
  const Waveform waves = read_vcd(out("traced") / "w.vcd");
  uint64_t in_waves = 0;
  const auto& valid = waves.at("rvfi_valid_i");
  for (size_t i = 0; i < valid.size(); ++i) {
    const uint64_t end = i + 1 < valid.size() ? valid[i + 1].first : kTo * 1000;
    const unsigned expected = valid[i].second == "0" ? 0 : valid[i].second == "1" ? 1 : 2;
    for (uint64_t cycle = valid[i].first / 1000; cycle < end / 1000; ++cycle) {
      ASSERT_EQ(lanes.count(cycle) == 0 ? 0 : lanes[cycle], expected) << "cycle " << cycle;
      in_waves += expected;
    }
  }
  EXPECT_GT(in_waves, 100u);
}

TEST_F(Trace, AnFstFileSaysTheSameAsAVcdFile) {
  EXPECT_EQ(run("vcd", window("waves: w.vcd")).exit_code, 4);
  EXPECT_EQ(run("fst", window("waves: w.fst")).exit_code, 4);
  const Waveform vcd = read_vcd(out("vcd") / "w.vcd"), fst = read_fst(out("fst") / "w.fst");
  EXPECT_GT(vcd.size(), 10u);
  EXPECT_EQ(vcd, fst);
}

TEST_F(Trace, EqualRunsLeaveEqualFilesAndTracingChangesNoResult) {
  const std::string files = "pipeline: p.log, waves: w.fst";
  EXPECT_EQ(run("one", window(files)).exit_code, 4);
  EXPECT_EQ(run("two", window(files)).exit_code, 4);
  EXPECT_EQ(run("plain", "{}").exit_code, 4);
  for (const char* name : {"p.log", "w.fst"}) {
    EXPECT_TRUE(read_file(out("one") / name) == read_file(out("two") / name)) << name;
  }
  EXPECT_THAT(read_file(out("one") / "w.fst"), HasSubstr("Thu Jan  1 00:00:00 1970"));
  EXPECT_EQ(read_file(out("one") / "result.json"), read_file(out("plain") / "result.json"));
  EXPECT_FALSE(fs::exists(out("plain") / "p.log"));
}

TEST_F(Trace, InLockstepItIsTheRtlThatIsShown) {
  const ProcessResult both =
      run("both", window("waves: w.vcd"), {"--set", "profilers.0.fidelity=lockstep"});
  EXPECT_EQ(both.exit_code, 4) << both.err;
  EXPECT_EQ(run("rtl", window("waves: w.vcd")).exit_code, 4);
  const Waveform lockstep = read_vcd(out("both") / "w.vcd"), rtl = read_vcd(out("rtl") / "w.vcd");
  // The read address walks over the registers in lockstep; nothing else differs.
  for (const char* name : {"clk_i", "rvfi_valid_i", "rvfi_pc_rdata_i", "irq_o", "idle_o"}) {
    EXPECT_EQ(lockstep.at(name), rtl.at(name)) << name;
  }
}

TEST_F(Trace, ADeadlockStillLeavesItsTrace) {
  const ProcessResult dead =
      run("dead", "{ pipeline: p.log, waves: w.vcd, from: 0, to: 2000 }",
          {"--set", "core.watchdog_cycles=1000", "--set", "core.memory.dram_interval=10000"});
  EXPECT_EQ(dead.exit_code, 3);
  EXPECT_EQ(read_json(out("dead") / "result.json").at("end"), "deadlock");
  const test::KanataLog log = test::read_kanata(out("dead") / "p.log");
  EXPECT_THAT(log.violations, IsEmpty());
  EXPECT_EQ(read_vcd(out("dead") / "w.vcd").at("clk_i").front().first, 0u);
}

TEST_F(Trace, ABadTraceIsRefusedAtItsPlace) {
  const auto error = [this](const std::string& trace, std::vector<std::string> more = {}) {
    const ProcessResult result = run("refused", trace, std::move(more));
    EXPECT_EQ(result.exit_code, 2) << trace;
    EXPECT_FALSE(fs::exists(out("refused")));
    return result.err;
  };
  EXPECT_THAT(error("{ waves: w.vcd }", {"--set", "profilers.0.fidelity=model"}),
              HasSubstr("run.yaml:6:17: error: trace.waves: only RTL has waveforms: expected an "
                        "active profiler with fidelity rtl or lockstep, got none"));
  EXPECT_THAT(error("{ waves: w.vcd }", {"--set", "profilers=[]"}), HasSubstr("trace.waves"));
  EXPECT_THAT(error("{ waves: w.wav }"),
              HasSubstr("trace.waves: expected a name that ends in .vcd or .fst, got 'w.wav'"));
  EXPECT_THAT(error("{ pipeline: ../p.log }"),
              HasSubstr("trace.pipeline: expected a plain file name without directories, got "
                        "'../p.log'"));
  EXPECT_THAT(error("{ pipeline: result.json }"),
              HasSubstr("expected a name that is not taken by another file of the result"));
  EXPECT_THAT(error("{ pipeline: w.vcd, waves: w.vcd }"),
              HasSubstr("expected a name other than that of trace.pipeline"));
  EXPECT_THAT(error("{ pipeline: p.log, from: 5, to: 5 }"),
              HasSubstr("trace.to: expected more than trace.from, which is 5, got 5"));
  EXPECT_THAT(
      error("{ pipeline: p.log }", {"--set", "mode=functional", "--set", "profilers.0.active=false",
                                    "--set", "profilers.0.fidelity=model"}),
      HasSubstr("a pipeline view needs mode: timing, got functional"));
}

}  // namespace
}  // namespace strobe::e2e
