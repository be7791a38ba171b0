// The profiles that the decode engine's handlers collect in a whole run, compared with what the
// program is known to do (programs/hot_list.c).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

// Every call, and every reference, of the program; nothing is sampled.
constexpr const char* kEveryCall = R"(
register pc     = d0;
register target = d1;
P1: T.OPCLASS == call -> direct;
P2: T.OPCLASS == call_indirect -> indirect;
direct:   { li pc, T.PC; li target, T.TARGET; dcall strobe_call_pair; T.INSN }
indirect: { li pc, T.PC; addi target, T.RS1, T.IMM; dcall strobe_call_pair; T.INSN }
)";
constexpr const char* kEveryReference = R"(
register pc      = d0;
register address = d1;
P1: T.OPCLASS == mem_op -> R1;
R1: { li pc, T.PC; addi address, T.RS1, T.IMM; dcall strobe_data_stream; T.INSN }
)";

// The C library's eight locks, an LR and an SC each: nothing is injected there
// (docs/blocks/dise.md).
constexpr uint64_t kReservedBytes = 16;
constexpr double kExact = 1e-9;

class DecodeProfiles : public testing::TestWithParam<const char*> {
 protected:
  /// Runs hot_list in the mode of the parameter; `decode` is the section's text.
  json run(const std::string& decode, const std::vector<std::string>& more = {}) {
    const auto file =
        scratch_.write("run.yaml", run_file(program("hot_list"), "[]", "[]",
                                            std::string("mode: ") + GetParam() +
                                                "\nbaseline: false\ndecode: { " + decode + " }\n"));
    std::vector<std::string> command = {"run", file.string(), "--out", out().string(), "--force"};
    command.insert(command.end(), more.begin(), more.end());
    const ProcessResult process = strobe(command);
    EXPECT_EQ(process.exit_code, 0) << process.err;
    table_ = process.out;
    return read_json(out() / "result.json").at("profile");
  }
  json run_set(const std::string& productions, const std::vector<std::string>& more = {}) {
    scratch_.write("set.dise", productions);
    return run("productions: [set.dise]", more);
  }
  std::filesystem::path out() const { return scratch_.path() / "out"; }

  static std::string shipped(const std::string& name) {
    return in_source("configs/profilers/hps/") + name + ".dise";
  }
  static std::string sampled(const std::string& name, unsigned sparsity, unsigned burst) {
    return "productions: [" + shipped("sampling") + ", " + shipped(name) +
           "], sparsity: " + std::to_string(sparsity) + ", burst: " + std::to_string(burst);
  }

  ScratchDirectory scratch_;
  std::string table_;  // what the run printed
};

/// How often `caller` calls `callee`, by a report of call pairs.
uint64_t calls(const json& report, const std::string& caller, const std::string& callee) {
  uint64_t count = 0;
  for (const json& entry : report.at("entries")) {
    const auto from = entry.at("caller").at("symbol").get<std::string>();
    const auto to = entry.at("callee").at("symbol").get<std::string>();
    if (from.rfind(caller + "+", 0) == 0 && to == callee + "+0x0") {
      count += entry.at("count").get<uint64_t>();
    }
  }
  return count;
}

TEST_P(DecodeProfiles, OfEveryCallAreTheCallsOfTheProgram) {
  const json profile = run_set(kEveryCall);
  const json report = read_json(out() / "handlers.call_pairs.json");
  EXPECT_EQ(calls(report, "main", "walk"), 3000u);
  EXPECT_EQ(calls(report, "main", "helper"), 6000u);
  const json& pairs = profile.at("call_pairs");
  EXPECT_GT(pairs.at("events"), 9000);
  EXPECT_EQ(pairs.at("events"), pairs.at("exhaustive_events"));
  EXPECT_EQ(pairs.at("tuples"), pairs.at("exhaustive_tuples"));
  EXPECT_NEAR(pairs.at("overlap").get<double>(), 1.0, kExact);
  EXPECT_NEAR(pairs.at("functions").at("overlap_90").get<double>(), 1.0, kExact);
  EXPECT_EQ(profile.at("lost"), 0);
  EXPECT_EQ(profile.at("handlers").size(), 1u);
  EXPECT_GT(profile.at("handlers").at("strobe_call_pair"), 100);
  EXPECT_FALSE(profile.contains("methods"));
  EXPECT_FALSE(profile.contains("hot_streams"));
  EXPECT_THAT(table_, HasSubstr("call pairs"));
  EXPECT_THAT(read_file(out() / "handlers.call_pairs.csv"),
              HasSubstr("tag,pc,value,count,symbol\n1,"));
}

TEST_P(DecodeProfiles, OfEveryReferenceHaveTheWalkOfTheListAsTheHottestStream) {
  const json streams = run_set(kEveryReference).at("hot_streams");
  EXPECT_GT(streams.at("references"), 3000 * 28);
  EXPECT_EQ(streams.at("references").get<uint64_t>() + kReservedBytes,
            streams.at("exhaustive_references").get<uint64_t>());
  EXPECT_EQ(streams.at("dropped"), 0);
  EXPECT_EQ(streams.at("bursts"), 0);
  for (const char* detector : {"symbols", "subpaths"}) {
    EXPECT_NEAR(streams.at(detector).at("overlap").get<double>(), 1.0, kExact);
    EXPECT_NEAR(streams.at(detector).at("exact_overlap").get<double>(), 1.0, kExact);
    EXPECT_GE(streams.at(detector).at("coverage"), 0.9);
    const json hottest = read_json(out() / ("handlers.streams." + std::string(detector) + ".json"))
                             .at("streams")
                             .at(0);
    EXPECT_EQ(hottest.at("accesses").size(), 28u);
  }
}

// Frequency = burst / (burst + sparsity), HPS section 5.
TEST_P(DecodeProfiles, OfASampleHaveTheShareOfTheEventsThatItsFrequencySays) {
  for (const auto& [sparsity, burst] : {std::pair(9u, 1u), std::pair(30u, 10u)}) {
    const json methods = run(sampled("hot-methods", sparsity, burst)).at("methods");
    const double all = methods.at("exhaustive_events").get<double>();
    EXPECT_GT(all, 3000 * 14);
    EXPECT_NEAR(methods.at("events").get<double>(), all * burst / (burst + sparsity), burst);
    EXPECT_GT(methods.at("functions").at("overlap"), 0.8);
  }
}

// Branch-on-random: the number of events is binomial, and the same in each mode.
TEST_P(DecodeProfiles, AtRandomHaveTheShareOfTheEventsThatTheProbabilitySays) {
  constexpr double kProbability = 1.0 / 128, kDeviations = 4.5;
  std::set<uint64_t> counts;
  for (const char* seed : {"seed=1", "seed=2", "seed=3", "seed=4"}) {
    const std::string set = "productions: [" + shipped("random-hot-methods") + "]";
    const json methods = run(set, {"--set", seed}).at("methods");
    const double all = methods.at("exhaustive_events").get<double>();
    EXPECT_GT(all, 3000 * 14);
    const double deviation = std::sqrt(all * kProbability * (1 - kProbability));
    const auto events = methods.at("events").get<uint64_t>();
    EXPECT_NEAR(static_cast<double>(events), all * kProbability, kDeviations * deviation) << seed;
    const json functional = run(set, {"--set", seed, "--set", "mode=functional"});
    EXPECT_EQ(functional.at("methods").at("events"), events) << seed;
    counts.insert(events);
  }
  EXPECT_GT(counts.size(), 1u) << "the seed has no effect";
}

TEST_P(DecodeProfiles, OfSampledStreamsEndAStreamWithItsBurst) {
  const json streams = run(sampled("hot-data-streams", 50, 50)).at("hot_streams");
  EXPECT_GT(streams.at("bursts"), 3000 * 14 / 100);
  const double share =
      streams.at("references").get<double>() / streams.at("exhaustive_references").get<double>();
  EXPECT_NEAR(share, 0.5, 0.1);
  EXPECT_GT(streams.at("subpaths").at("overlap"), 0.5);
}

TEST_P(DecodeProfiles, OfARegionHaveNothingOfWhatCameBefore) {
  const json whole = run_set(kEveryCall).at("call_pairs");
  const json part =
      run_set(kEveryCall, {"--set", "workload.roi.skip=100000", "--set", "workload.roi.run=50000"});
  const json& pairs = part.at("call_pairs");
  EXPECT_LT(pairs.at("exhaustive_events"), whole.at("exhaustive_events").get<int>() / 4);
  // Instructions in flight where the region begins and ends.
  EXPECT_NEAR(pairs.at("events").get<double>(), pairs.at("exhaustive_events").get<double>(), 20);
}

INSTANTIATE_TEST_SUITE_P(Modes, DecodeProfiles, testing::Values("functional", "timing"),
                         [](const auto& mode) { return std::string(mode.param); });

}  // namespace
}  // namespace strobe::e2e
