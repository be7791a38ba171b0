// A program whose signals have handlers: the core, the profilers and the decode engine see what the
// functional model sees.
#include <gtest/gtest.h>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

class SignalHandlers : public testing::Test {
 protected:
  json run(const std::string& name, const std::string& active, const std::string& extra) {
    const fs::path file = scratch_.write(
        name + ".yaml", run_file(in_build("tests/unit/linux/programs/signals"), "[]",
                                 "[{ name: all, kind: periodic, rate: 1, active: " + active +
                                     ", fidelity: model, selectors: [{ profile: edge }, { profile: "
                                     "call_target, tag: 1 }] }]",
                                 extra));
    const fs::path out = scratch_.path() / name;
    const ProcessResult done = strobe({"run", file.string(), "--out", out.string()});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    output_ = read_file(out / "stdout.txt");
    profile_ = read_file(out / "profile.all.csv");
    return read_json(out / "result.json");
  }

  ScratchDirectory scratch_;
  std::string output_, profile_;
};

TEST_F(SignalHandlers, AreExecutedAndProfiledAlikeInEveryMode) {
  const json functional = run("functional", "false", "mode: functional\n");
  const std::string output = output_, profile = profile_;
  EXPECT_EQ(functional.at("exit_code"), 3);
  EXPECT_NE(output.find("nested 5 deep"), std::string::npos) << output;
  const json timing = run("timing", "false", "mode: timing\n");
  EXPECT_EQ(output_, output);
  EXPECT_EQ(profile_, profile) << "every edge and call of the handlers, too";
  EXPECT_EQ(timing.at("instructions"), functional.at("instructions"));
  // An interrupt may come between LR and SC, which are then executed again.
  const json interrupted = run("interrupted", "true", "mode: timing\n");
  EXPECT_EQ(output_, output);
  EXPECT_GT(interrupted.at("profilers").at(0).at("interrupts"), 20);
  EXPECT_EQ(interrupted.at("profilers").at(0).at("conserved"), true);
  EXPECT_EQ(interrupted.at("accuracy").at("edges").at("overlap_90"), 1);
  run("rewritten", "false",
      "mode: timing\ndecode: { productions: [" + in_source("configs/profilers/hps/sampling.dise") +
          ", " + in_source("configs/profilers/hps/hot-call-pairs.dise") +
          "], sparsity: 9, burst: 1, jitter: 0 }\n");
  EXPECT_EQ(output_, output);
}

}  // namespace
}  // namespace strobe::e2e
