// The results of ephemeral instrumentation on one small program: do they say what `strobe run`
// says, and what becomes of a run that fails?
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

/// Guest programs among which the first workload is hot_list, and there is no other.
class ReproduceEphemeral : public testing::Test {
 protected:
  static constexpr int kDiffers = 1, kFailed = 3;

  void SetUp() override {
    fs::create_directories(guest() / "workloads");
    fs::create_directories(guest() / "objects");
    for (const char* part : {"firmware.elf", "ephemeral", "bursty"}) {
      fs::copy(in_build("guest/" + std::string(part)), guest() / part, fs::copy_options::recursive);
    }
    fs::copy_file(fs::path(program("hot_list")).replace_extension(".o"),
                  guest() / "objects/hot_list.o");
    add("btree", "hot_list");
    setenv("STROBE_GUEST_DIR", guest().c_str(), 1);
    setenv("STROBE_WORKLOADS", "/nonexistent", 1);
  }
  void TearDown() override {
    unsetenv("STROBE_GUEST_DIR");
    unsetenv("STROBE_WORKLOADS");
  }

  /// A program of the tests as a workload.
  void add(const std::string& workload, const std::string& name) const {
    fs::copy_file(program(name), guest() / "workloads" / (workload + ".elf"));
    std::ofstream(guest() / "workloads" / (workload + ".link"))
        << "riscv64-linux-gnu-gcc\n-static\n../objects/hot_list.o\n";
  }
  ProcessResult reproduce(const std::string& what) const {
    return strobe({"reproduce", "ephemeral-" + what, "--out", out().string()}, in_source(""));
  }
  std::string page(const std::string& what) const {
    return read_file(out() / ("ephemeral-" + what + ".md"));
  }
  /// result.json of a shipped run file on the same program and core.
  json run(const std::string& file, std::vector<std::string> sets) const {
    std::vector<std::string> command = {"run", "configs/runs/" + file + ".yaml", "--force", "--out",
                                        (scratch_.path() / "run").string()};
    sets.emplace_back("core=inorder4");
    sets.emplace_back("workload={include: configs/workloads/btree.yaml, args: [small]}");
    for (std::string& set : sets) {
      command.emplace_back("--set");
      command.push_back(std::move(set));
    }
    const ProcessResult process = strobe(command, in_source(""));
    EXPECT_EQ(process.exit_code, 0) << process.err;
    return read_json(scratch_.path() / "run" / "result.json");
  }
  static std::string percent_of(const json& result) {
    return fmt::format("{:.2f} %", 100 * result.at("overhead_measured").get<double>());
  }
  fs::path guest() const { return scratch_.path() / "guest"; }
  fs::path out() const { return scratch_.path() / "out"; }
  fs::path kept() const { return out() / "btree.ephemeral.json"; }

  ScratchDirectory scratch_;
};

TEST_F(ReproduceEphemeral, TheProgramsHaveTheOverheadsOfTheRuns) {
  const ProcessResult process = reproduce("programs");
  EXPECT_EQ(process.exit_code, kDiffers) << process.err;
  EXPECT_THAT(process.err, HasSubstr("btree.ephemeral.json: training, ephemeral, persistence 10,"));
  EXPECT_THAT(process.out, HasSubstr("skipped: lisp (no build:workloads/lisp.elf"));
  EXPECT_THAT(process.out, HasSubstr("undecided: (our own aim) at least 50.00 % of programs"));
  const auto overhead = [&](unsigned persistence) {
    return percent_of(run("ephemeral", {fmt::format("instrument.persistence={}", persistence),
                                        "instrument.epoch_jitter=0"}));
  };
  EXPECT_THAT(page("programs"),
              HasSubstr(fmt::format("| btree | {} | {} | {} | {} |", overhead(10), overhead(100),
                                    overhead(1000), overhead(10000))));
  const std::string measured = read_file(kept());
  const ProcessResult again = reproduce("table2");
  EXPECT_EQ(again.exit_code, kDiffers) << again.err;
  EXPECT_EQ(again.err, "") << "nothing is run again";
  EXPECT_EQ(read_file(kept()), measured);
}

TEST_F(ReproduceEphemeral, TheProfilersHaveTheOverheadsOfTheRuns) {
  EXPECT_EQ(reproduce("profilers").exit_code, kDiffers);
  const auto overhead = [&](const std::string& sampler, std::vector<std::string> sets) {
    sets.push_back(
        fmt::format("profilers=[{{name: trained, include: configs/profilers/{}, active: true, "
                    "fidelity: model}}]",
                    sampler));
    return percent_of(run("quickstart", sets));
  };
  const std::string random = overhead("random-256.yaml, selectors: [{profile: edge}]", {});
  const std::string stratified = overhead("stratified-2048.yaml, selectors: [{profile: edge}]", {});
  const std::string gated =
      overhead("hps-gated-stratified.yaml, selectors: [{profile: edge, in_burst: true}]",
               {"decode.productions=[configs/profilers/hps/sampling.dise]", "decode.sparsity=90",
                "decode.burst=10"});
  const std::string found = page("profilers");
  EXPECT_THAT(found, HasSubstr(fmt::format("| {} | {} | ", stratified, gated)));
  EXPECT_THAT(found, HasSubstr(fmt::format("| {} |\n", random)));
  EXPECT_THAT(found, HasSubstr("| 45.2 kGE |"));
}

TEST_F(ReproduceEphemeral, AProgramThatFailsIsNamedAndInNoNumber) {
  add("lisp", "illegal_instruction");
  const ProcessResult process = reproduce("epochs");
  EXPECT_EQ(process.exit_code, kFailed);
  EXPECT_THAT(process.err, HasSubstr("illegal"));
  EXPECT_THAT(process.out, HasSubstr("failed: lisp: lisp.ephemeral.json: training, all branches"));
  EXPECT_THAT(page("epochs"), HasSubstr("| btree |"));
  EXPECT_THAT(page("epochs"), Not(HasSubstr("| lisp |")));
  EXPECT_THAT(page("epochs"), HasSubstr("Failed, so not part of any number above: lisp:"));
  fs::remove(guest() / "workloads/btree.elf");
  const ProcessResult none = reproduce("epochs");
  EXPECT_EQ(none.exit_code, kFailed);
  EXPECT_THAT(none.err, HasSubstr("no program was measured; lisp: lisp.ephemeral.json"));
}

TEST_F(ReproduceEphemeral, EpochsInStepWithAProgramSeeOnePhaseAndJitterMendsIt) {
  unsetenv("STROBE_GUEST_DIR");
  const std::string out = reproduce("aliasing").out;
  // The error with fixed epochs, less its half-width, is above twice that with jitter at its worst.
  const auto ours = [&out](const std::string& claim) {
    double mean = 0, half = 0;
    const size_t at = out.find("ours: ", out.find(claim));
    EXPECT_EQ(std::sscanf(out.c_str() + at, "ours: %lf +- %lf", &mean, &half), 2) << out;
    return std::pair(mean, half);
  };
  const auto [fixed, fixed_half] = ours("fixed epochs correlate with the program");
  const auto [random, random_half] = ours("randomized epochs minimize the correlation");
  EXPECT_GT(fixed - fixed_half, 2 * (random + random_half));
  EXPECT_THAT(out, HasSubstr("holds: randomized epochs minimize the correlation"));
}

}  // namespace
}  // namespace strobe::e2e
