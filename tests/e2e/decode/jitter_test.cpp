// A loop that is in step with the distance between two bursts, and the jitter that helps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kWarning = "the samples are in step with a loop";

class Jitter : public testing::Test {
 protected:
  ProcessResult run(const std::string& name, const std::string& decode,
                    const std::vector<std::string>& sets = {}) {
    const auto file = scratch_.write(
        name + ".yaml", run_file(program("in_step"), "[]", "[]",
                                 "mode: functional\nbaseline: false\ndecode: { productions: [" +
                                     shipped("sampling") + ", " + shipped("hot-call-pairs") +
                                     "], sparsity: 99, burst: 1" + decode + " }\n"));
    std::vector<std::string> command = {"run", file.string(), "--out",
                                        (scratch_.path() / name).string()};
    for (const std::string& set : sets) command.insert(command.end(), {"--set", set});
    return strobe(command);
  }
  json pairs(const std::string& name) {
    return read_json(scratch_.path() / name / "result.json").at("profile").at("call_pairs");
  }
  std::string profile(const std::string& name) {
    return read_file(scratch_.path() / name / "handlers.call_pairs.csv");
  }
  static std::string shipped(const std::string& name) {
    return in_source("configs/profilers/hps/") + name + ".dise";
  }

  ScratchDirectory scratch_;
};

// Wherever the first burst begins: in every one is the same call of the three, or the branch.
TEST_F(Jitter, AFixedDistanceMeetsOneOfThreeCallsAndIsWarnedOf) {
  unsigned warned = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const std::string name = "fixed" + std::to_string(seed);
    const ProcessResult fixed = run(name, ", phase: random", {"seed=" + std::to_string(seed)});
    ASSERT_EQ(fixed.exit_code, 0) << fixed.err;
    EXPECT_LT(pairs(name).at("overlap").get<double>(), 0.4) << seed;
    EXPECT_THAT(fixed.out, HasSubstr("warning: ")) << seed;
    warned += fixed.out.find(kWarning) != std::string::npos ? 1 : 0;
  }
  EXPECT_GE(warned, 1u);
  EXPECT_LT(warned, 6u) << "some seed begins with the branch";
  const ProcessResult varied = run("varied", ", jitter: 4");
  ASSERT_EQ(varied.exit_code, 0) << varied.err;
  EXPECT_GT(pairs("varied").at("overlap").get<double>(), 0.95);
  EXPECT_THAT(varied.out + varied.err, Not(HasSubstr(kWarning)));
  // One in a hundred on average, and half an event more.
  const auto collected = [&](const char* name) { return pairs(name).at("events").get<double>(); };
  EXPECT_NEAR(collected("varied"), 150'000 / 100.5, 60);
}

TEST_F(Jitter, AnotherSeedGivesOtherBursts) {
  ASSERT_EQ(run("one", ", jitter: 6", {"seed=1"}).exit_code, 0);
  ASSERT_EQ(run("again", ", jitter: 6", {"seed=1"}).exit_code, 0);
  ASSERT_EQ(run("other", ", jitter: 6", {"seed=2"}).exit_code, 0);
  EXPECT_EQ(profile("one"), profile("again"));
  EXPECT_NE(profile("one"), profile("other"));
}

// A wrong path takes random numbers, and a restore puts them back.
TEST_F(Jitter, EveryModeAndTheRtlHaveTheSameBursts) {
  ASSERT_EQ(run("functional", ", jitter: 6").exit_code, 0);
  const ProcessResult timed = run("timing", ", jitter: 6, phase: random", {"mode=timing"});
  ASSERT_EQ(timed.exit_code, 0) << timed.err;
  ASSERT_EQ(run("phase", ", jitter: 6, phase: random").exit_code, 0);
  EXPECT_EQ(profile("timing"), profile("phase"));
  EXPECT_NE(profile("functional"), profile("phase"));
  const ProcessResult lockstep = run("lockstep", ", jitter: 6, fidelity: lockstep",
                                     {"mode=timing", "workload.roi.run=300000"});
  ASSERT_EQ(lockstep.exit_code, 0) << lockstep.err;
  EXPECT_GT(pairs("lockstep").at("events").get<uint64_t>(), 100u);
}

TEST_F(Jitter, WithoutRoomOrRegisterItIsRefused) {
  const ProcessResult close = run("close", ", jitter: 8");
  EXPECT_NE(close.exit_code, 0);
  EXPECT_THAT(close.err, HasSubstr("decode.jitter: expected a distance of 129 to 1048449 events"));
  const ProcessResult many = run("many", ", jitter: 9");
  EXPECT_NE(many.exit_code, 0);
  EXPECT_THAT(many.err, HasSubstr("decode.jitter: out of range, expected 0 to 8 bits, got 9"));
}

}  // namespace
}  // namespace strobe::e2e
