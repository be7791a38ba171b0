// A selector that the decode engine's bursts gate selects exactly the instructions of a burst, as
// an independent count shows, and costs no cycle. See configs/profilers/hps-gated-stratified.yaml.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "tests/e2e/process/observed_program.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr uint64_t kSparsity = 30, kBurst = 10;

/// Loads in a burst, by pc. Events are calls and backward branches: of sparsity + burst in a row
/// the one that ends a burst comes first (configs/profilers/hps/sampling.dise).
class Bursts {
 public:
  /// @param before  events before the first burst
  explicit Bursts(uint64_t before = kSparsity - 1) : before_(before) {}
  void record(const RetireRecord& record) {
    const bool on = events_ >= before_ && (events_ - before_) % (kSparsity + kBurst) < kBurst;
    if (record.opclass == OpClass::kLoad && record.trap == 0) {
      ++all;
      if (on) ++loads[record.pc_rdata];
      inside += on ? 1 : 0;
    }
    const bool backward = record.opclass == OpClass::kBranch && record.insn >> 31 != 0;
    const bool call = record.opclass == OpClass::kCall || record.opclass == OpClass::kCallIndirect;
    events_ += backward || call ? 1 : 0;
  }
  uint64_t all = 0, inside = 0;
  std::map<uint64_t, uint64_t> loads;

 private:
  uint64_t before_, events_ = 0;
};

std::string decode(const std::string& more) {
  return "decode: { productions: [" + in_source("configs/profilers/hps/sampling.dise") + "], " +
         "sparsity: " + std::to_string(kSparsity) + ", burst: " + std::to_string(kBurst) + more +
         " }\n";
}

std::map<uint64_t, uint64_t> counts_by_pc(const fs::path& csv) {
  std::map<uint64_t, uint64_t> counts;
  std::istringstream rows(read_file(csv));
  std::string row, tag, pc, value, count;
  std::getline(rows, row);
  while (std::getline(rows, row)) {
    std::istringstream fields(row);
    std::getline(fields, tag, ',');
    std::getline(fields, pc, ',');
    std::getline(fields, value, ',');
    std::getline(fields, count, ',');
    counts[std::stoull(pc, nullptr, 16)] += std::stoull(count);
  }
  return counts;
}

class BurstGate : public testing::TestWithParam<const char*> {
 protected:
  std::string elf() const {
    return GetParam() == std::string("hot_list") ? program("hot_list") : workload(GetParam());
  }
  std::vector<std::string> args() const {
    return GetParam() == std::string("hot_list") ? std::vector<std::string>{}
                                                 : std::vector<std::string>{"tiny"};
  }
  Bursts expected() const {
    Bursts bursts;
    run_observed(elf(), args(), bursts);
    return bursts;
  }
  json run(const std::string& name, const std::string& profilers, const std::string& extra) {
    const fs::path file = scratch_.write(
        name + ".yaml", run_file(elf(), args().empty() ? "[]" : "[tiny]", profilers, extra));
    const ProcessResult process =
        strobe({"run", file.string(), "--out", (scratch_.path() / name).string()});
    EXPECT_EQ(process.exit_code, 0) << process.err;
    return read_json(scratch_.path() / name / "result.json");
  }

  ScratchDirectory scratch_;
};

constexpr const char* kWatching =
    "[{ name: p, kind: periodic, rate: 1, selectors: [{ profile: value, in_burst: true }] }]";

TEST_P(BurstGate, LetsExactlyTheLoadsOfABurstThrough) {
  const Bursts bursts = expected();
  ASSERT_GT(bursts.inside, 1000u);
  ASSERT_LT(bursts.inside, bursts.all / 2);
  for (const char* mode : {"functional", "timing", "sampled"}) {
    const json result = run(mode, kWatching,
                            std::string("mode: ") + mode +
                                "\nbaseline: false\nsampling: { start: 50_000, unit: 100, warm: "
                                "500, interval: 1000 }\n" +
                                decode(""));
    EXPECT_EQ(result.at("profilers").at(0).at("events"), bursts.inside) << mode;
    EXPECT_EQ(counts_by_pc(scratch_.path() / mode / "profile.p.csv"), bursts.loads) << mode;
  }
}

// The active profiler's messages take time: the wrong path is another one, bursts are not.
TEST_P(BurstGate, OfTheActiveProfilerIsTheSameInEveryFidelity) {
  const uint64_t inside = expected().inside;
  std::string model;
  for (const std::string fidelity : {"model", "rtl", "lockstep"}) {
    json result =
        run(fidelity,
            "[{ name: p, include: " + in_source("configs/profilers/hps-gated-stratified.yaml") +
                ", active: true, fidelity: " + fidelity + " }]",
            "baseline: false\n" + decode(", fidelity: " + fidelity));
    json& profiler = result.at("profilers").at(0);
    EXPECT_GT(result.at("counters").at("core.branch.mispredicted"), 100);
    EXPECT_EQ(profiler.at("events"), inside) << fidelity;
    EXPECT_EQ(profiler.at("dropped"), 0) << fidelity;
    EXPECT_EQ(profiler.at("conserved"), true) << fidelity;
    EXPECT_GT(profiler.at("messages"), 0) << fidelity;
    profiler.erase("fidelity");
    if (model.empty()) model = result.dump();
    EXPECT_EQ(result.dump(), model) << fidelity;
  }
}

// What the wrong path counted stays: the test above would see it.
TEST_P(BurstGate, MovesWhenTheWrongPathIsNotUndone) {
  const json result = run("leak", kWatching, "baseline: false\n" + decode(", speculation: leak"));
  EXPECT_NE(result.at("profilers").at(0).at("events"), expected().inside);
}

TEST_P(BurstGate, CostsNoCycle) {
  const json watched = run("watched", kWatching, decode(""));
  EXPECT_GT(watched.at("profilers").at(0).at("events"), 1000);
  EXPECT_EQ(watched.at("cycles"), watched.at("baseline_cycles"));
  EXPECT_EQ(watched.at("counters").at("core.expansions"), 0);
  // An active profiler that causes no interrupt, with the gate and without.
  json cycles, events;
  for (const char* in_burst : {"true", "false"}) {
    const json result = run(in_burst,
                            "[{ name: p, active: true, rate: 4096, counter_width: 12, watermark: "
                            "256, fidelity: model, selectors: [{ profile: value, in_burst: " +
                                std::string(in_burst) + " }] }]",
                            "baseline: false\n" + decode(""));
    EXPECT_EQ(result.at("profilers").at(0).at("interrupts"), 0);
    cycles.push_back(result.at("cycles"));
    events.push_back(result.at("profilers").at(0).at("events"));
  }
  EXPECT_EQ(cycles.at(0), cycles.at(1));
  EXPECT_LT(events.at(0).get<uint64_t>() * 2, events.at(1).get<uint64_t>());
}

/// The bursts of every phase.
struct Phases {
  Phases() {
    for (uint64_t before = 1; before <= kSparsity + kBurst; ++before) bursts.emplace_back(before);
  }
  void record(const RetireRecord& record) {
    for (Bursts& one : bursts) one.record(record);
  }
  std::vector<Bursts> bursts;
};

TEST_P(BurstGate, BeginsWhereTheSeedSaysInARandomPhase) {
  Phases phases;
  run_observed(elf(), args(), phases);
  std::set<size_t> drawn;
  for (const uint64_t seed : {1, 2, 3}) {
    const std::string extra =
        "baseline: false\nseed: " + std::to_string(seed) + "\n" + decode(", phase: random");
    const std::string name = "seed" + std::to_string(seed);
    run(name, kWatching, "mode: functional\n" + extra);
    const auto counts = counts_by_pc(scratch_.path() / name / "profile.p.csv");
    const auto phase = std::find_if(phases.bursts.begin(), phases.bursts.end(),
                                    [&](const Bursts& one) { return one.loads == counts; });
    ASSERT_NE(phase, phases.bursts.end()) << "seed " << seed << ": bursts of no phase";
    drawn.insert(phase - phases.bursts.begin());
    run(name + "-timing", kWatching, extra);
    EXPECT_EQ(counts_by_pc(scratch_.path() / (name + "-timing") / "profile.p.csv"), counts);
  }
  EXPECT_EQ(drawn.size(), 3u) << "seeds that draw the same phase";
}

INSTANTIATE_TEST_SUITE_P(Programs, BurstGate, testing::Values("hot_list", "lisp", "btree"),
                         [](const auto& program) { return std::string(program.param); });

// An instruction of a sequence is where its trigger is, and the trigger itself is one of them.
TEST(BurstGateOfExpandedInstructions, FollowsTheirTrigger) {
  const ScratchDirectory scratch;
  scratch.write("twice.dise",
                "register other = d0;\n"
                "P1: T.OPCLASS == load && overflow_1 && !overflow_2 -> R1;\n"
                "R1: { li other, T.PC; T.INSN }\n");
  const fs::path file = scratch.write(
      "run.yaml", run_file(program("hot_list"), "[]", kWatching,
                           "baseline: false\ndecode: { productions: [" +
                               in_source("configs/profilers/hps/sampling.dise") +
                               ", twice.dise], sparsity: " + std::to_string(kSparsity) +
                               ", burst: " + std::to_string(kBurst) + " }\n"));
  const ProcessResult process =
      strobe({"run", file.string(), "--out", (scratch.path() / "out").string()});
  ASSERT_EQ(process.exit_code, 0) << process.err;
  Bursts bursts;
  run_observed(program("hot_list"), {}, bursts);
  EXPECT_EQ(counts_by_pc(scratch.path() / "out" / "profile.p.csv"), bursts.loads);
}

TEST(BurstGateInABadRun, NeedsADecodeEngine) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write("run.yaml", run_file(program("hot_list"), "[]", kWatching));
  const ProcessResult process =
      strobe({"run", file.string(), "--out", (scratch.path() / "out").string()});
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(process.err, testing::ContainsRegex("run.yaml:[0-9]+:[0-9]+: error: "
                                                  "profilers.0.selectors.0.in_burst: expected "
                                                  "false, because there are no bursts"));
}

TEST(BurstGateInABadRun, IsNotRecorded) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("run.yaml", run_file(program("hot_list"), "[]", kWatching, decode("")));
  const ProcessResult process =
      strobe({"record", file.string(), "--out", (scratch.path() / "out").string()});
  EXPECT_NE(process.exit_code, 0);
  EXPECT_THAT(process.err, HasSubstr("a recording runs without the decode engine"));
}

}  // namespace
}  // namespace strobe::e2e
