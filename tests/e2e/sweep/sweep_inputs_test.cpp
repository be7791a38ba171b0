// The files that a run has read are the ones that its manifest names and that the sweep planned,
// whatever happens to the files meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <set>
#include <thread>
#include <utility>

#include "sw/files/sha256.h"
#include "tests/e2e/sweep/sweep_fixture.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using files::sha256_of_file;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class Inputs : public SweepTest {
 protected:
  /// A copy of a test program, for it to be replaced.
  std::string copy(const std::string& name, const std::string& elf) const {
    fs::copy_file(elf, at(name), fs::copy_options::overwrite_existing);
    return at(name).string();
  }
  void forget_database_and_ends() const {
    fs::remove(at("out/sweep.sqlite"));
    for (const auto& entry : fs::directory_iterator(at("out/jobs"))) {
      if (entry.path().string().find(".end.json") != std::string::npos) fs::remove(entry.path());
    }
  }
};

TEST_F(Inputs, AGuestThatOverwritesItsOwnProgramDoesNotChangeItsHash) {
  for (const std::string mode : {"functional", "timing"}) {  // timing: with a baseline before it
    const std::string elf = copy("own.elf", program("overwrite"));
    const std::string before = sha256_of_file(elf);
    const ScratchDirectory results;  // the program must not write it
    const fs::path file =
        results.write("run.yaml", "mode: " + mode + "\nworkload: { elf: " + elf + ", args: [" +
                                      elf + "], sandbox: { write: [" + scratch_.path().string() +
                                      "] } }\nprofilers: [{ name: s, rate: 16, active: " +
                                      (mode == "timing" ? "true" : "false") +
                                      ", "
                                      "selectors: [{ profile: edge }] }]\n");
    const fs::path out = results.path() / "out";
    const ProcessResult run = strobe({"run", file.string(), "--out", out.string()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(sha256_of_file(elf), before) << "it was not overwritten";
    EXPECT_EQ(read_json(out / "manifest.json")["elf"]["sha256"], before) << mode;
  }
}

TEST_F(Inputs, ARunThatReadsOtherInputThanItsBaselineIsRefused) {
  const std::string input = scratch_.write("in.txt", std::string(2000, 'a')).string();
  const ScratchDirectory results;
  const fs::path file = results.write(
      "run.yaml", "mode: timing\nworkload: { elf: " + program("overwrite") + ", args: [" + input +
                      "], stdin: " + input + ", sandbox: { write: [" + scratch_.path().string() +
                      "] } }\nprofilers: [{ name: s, rate: 16, active: true, selectors: [{ "
                      "profile: edge }] }]\n");
  const fs::path out = results.path() / "out";
  const ProcessResult run = strobe({"run", file.string(), "--out", out.string()});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr("the run and its baseline cannot be compared"));
  EXPECT_FALSE(fs::exists(out));
}

/// Writes to a file in place once the program has printed something.
class Writer {
 public:
  Writer(const fs::path& results, fs::path file)
      : thread_([this, results, file = std::move(file)] {
          while (!stop_ && !has_output(results)) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          }
          std::fstream(file, std::ios::in | std::ios::out | std::ios::binary) << 'b';
        }) {}
  ~Writer() {
    stop_ = true;
    thread_.join();
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

 private:
  static bool has_output(const fs::path& results) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(results, error)) {
      if (fs::file_size(entry.path() / "stdout.txt", error) > 0 && !error) return true;
    }
    return false;
  }

  std::atomic<bool> stop_{false};
  std::thread thread_;
};

TEST_F(Inputs, StandardInputThatIsWrittenToDuringTheRunLeavesNoResult) {
  scratch_.write("in.txt", std::string(2000, 'a'));
  for (const std::string mode : {"functional", "timing"}) {
    scratch_.write("run.yaml", "mode: " + mode +
                                   "\nmax_instructions: 2_000_000_000\nworkload: { elf: " +
                                   program("await_input") +
                                   ", stdin: in.txt }\nprofilers: [{ name: s, rate: 16, active: "
                                   "false, selectors: [{ profile: edge }] }]\n");
    const ScratchDirectory results;
    const Writer writer(results.path(), at("in.txt"));
    const fs::path out = results.path() / "out";
    const ProcessResult run = strobe({"run", at("run.yaml").string(), "--out", out.string()});
    EXPECT_EQ(run.exit_code, 3) << mode;
    EXPECT_THAT(run.err,
                AllOf(HasSubstr("the standard input "), HasSubstr("in.txt was written to "
                                                                  "while the program ran")));
    EXPECT_FALSE(fs::exists(out));
    scratch_.write("in.txt", std::string(2000, 'a'));
  }
}

TEST_F(Inputs, ARunFileEditedBetweenThePlanAndItsStartIsNoticed) {
  scratch_.write("base.yaml",
                 "mode: functional\nworkload: { elf: " + program("known_profile") +
                     " }\nprofilers: [{ name: s, rate: 16, selectors: [{ profile: edge }] }]\n");
  const std::string one = "grid: { profilers.0.rate: [16] }\n";
  const std::string edits = "sed -i 's/rate: 16/rate: 32/' " + at("out/jobs/").string() +
                            "{name}.yaml; {command} > {log} 2>&1";
  const ProcessResult edited =
      sweep(one + "launcher: { command: \"" + edits + "\" }\n", {"--launcher", "command"});
  EXPECT_EQ(edited.exit_code, 1);
  EXPECT_THAT(
      text("SELECT reason FROM failure"),
      AllOf(HasSubstr(".yaml was edited during the sweep: the plan has a configuration with "
                      "SHA-256 "),
            HasSubstr("; start the sweep again with --retry-failed")));
  forget_database_and_ends();
  const ProcessResult back = sweep(one);
  EXPECT_EQ(back.exit_code, 0) << back.err;
  EXPECT_THAT(back.out, HasSubstr("1 point in 1 run, 0 reused"));
}

TEST_F(Inputs, TheManifestNamesEveryFileThatTheRunRead) {
  const std::string hps = in_source("configs/profilers/hps/");
  scratch_.write("in.txt", "the input\n");
  scratch_.write("run.yaml", "mode: functional\nworkload: { elf: " + program("open_file") +
                                 ", stdin: in.txt }\ndecode: { productions: [" + hps +
                                 "sampling.dise, " + hps + "hot-methods.dise], burst: 1 }\n");
  strobe({"run", at("run.yaml").string(), "--out", at("result").string()});
  const json manifest = read_json(at("result/manifest.json"));
  EXPECT_EQ(manifest["stdin"],
            (json{{"name", "in.txt"}, {"sha256", sha256_of_file(at("in.txt").string())}}));
  ASSERT_EQ(manifest["productions"].size(), 2u);
  EXPECT_EQ(
      manifest["productions"][1],
      (json{{"name", "hot-methods.dise"}, {"sha256", sha256_of_file(hps + "hot-methods.dise")}}));
  EXPECT_EQ(manifest["rtl"], nullptr);
  EXPECT_EQ(manifest["files"]["result.json"], sha256_of_file(at("result/result.json").string()));
  EXPECT_EQ(manifest["files"]["stdout.txt"], sha256_of_file(at("result/stdout.txt").string()));
}

TEST_F(Inputs, TheManifestOfARunThatSimulatesRtlNamesIt) {
  scratch_.write("base.yaml",
                 "mode: timing\nbaseline: false\nworkload: { elf: " + program("known_profile") +
                     " }\nprofilers: [{ name: s, rate: 16, active: true, fidelity: "
                     "model, selectors: [{ profile: edge }] }]\n");
  ASSERT_EQ(sweep("grid: { profilers.0.fidelity: [model, rtl] }\n").exit_code, 0);
  std::set<std::string> named;
  for (const auto& run : fs::directory_iterator(at("out/runs"))) {
    const json rtl = read_json(run.path() / "manifest.json").at("rtl");
    named.insert(rtl.is_null() ? "none" : rtl.at("sha256").get<std::string>());
  }
  EXPECT_EQ(named.size(), 2u);
  EXPECT_EQ(named.count("none"), 1u);
}

TEST_F(Inputs, AProgramReplacedInMidSweepIsRefusedAndTheOldOneIsRunWhenItIsBack) {
  copy("p.elf", program("known_profile"));
  scratch_.write("base.yaml",
                 "mode: functional\nworkload: { elf: p.elf }\nprofilers: [{ name: s, "
                 "rate: 16, selectors: [{ profile: edge }] }]\n");
  const std::string swapped = "cp " + program("hot_list") + " " + at("p.elf").string() +
                              "; {command} > {log} 2>&1; code=$?; cp " + program("known_profile") +
                              " " + at("p.elf").string() + "; exit $code";
  const std::string one = "grid: { profilers.0.rate: [16] }\n";
  const ProcessResult replaced =
      sweep(one + "launcher: { command: \"" + swapped + "\" }\n", {"--launcher", "command"});
  EXPECT_EQ(replaced.exit_code, 1);
  EXPECT_THAT(text("SELECT reason FROM failure"),
              AllOf(HasSubstr("the program p.elf was replaced during the sweep: the plan has "
                              "SHA-256 "),
                    HasSubstr("; start the sweep again with --retry-failed")));
  EXPECT_THAT(replaced.err, HasSubstr("was replaced during the sweep"));
  forget_database_and_ends();
  const ProcessResult back = sweep(one);
  EXPECT_EQ(back.exit_code, 0) << back.err;
  EXPECT_THAT(back.out, HasSubstr("1 point in 1 run, 0 reused"));
  ASSERT_EQ(strobe({"run", at("base.yaml").string(), "--out", at("alone").string()}).exit_code, 0);
  EXPECT_EQ(json::parse(text("SELECT result FROM run"))["instructions"],
            read_json(at("alone/result.json"))["instructions"]);
}

TEST_F(Inputs, AProductionFileOnAnAxisCountsByItsContent) {
  const std::string hps = in_source("configs/profilers/hps/");
  for (const char* name : {"sampling.dise", "hot-methods.dise"}) {
    fs::copy_file(hps + name, at(name));
  }
  scratch_.write("base.yaml", "mode: functional\nworkload: { elf: " + program("known_profile") +
                                  " }\ndecode: { productions: [sampling.dise, hot-methods.dise], "
                                  "burst: 1 }\nprofilers: []\n");
  const std::string axis =
      "grid: { decode.productions: [[sampling.dise, hot-methods.dise], [sampling.dise]] }\n";
  ASSERT_EQ(sweep(axis).exit_code, 0);
  EXPECT_THAT(sweep(axis).out, HasSubstr("2 points in 0 runs, 2 reused"));
  scratch_.write("hot-methods.dise", read_file(at("hot-methods.dise")) + "\n");
  // The run without that file is equal to the earlier one.
  EXPECT_THAT(sweep(axis).out, HasSubstr("2 points in 1 run, 1 reused"));
  EXPECT_EQ(number("SELECT count(*) FROM point"), 2);
}

TEST_F(Inputs, AStreamWithoutItsEndFileOrCutIsRecordedAgain) {
  scratch_.write("base.yaml", run_file(workload("lisp"), "[tiny]",
                                       "[{ name: s, rate: 16, selectors: [{ profile: edge }] }]",
                                       "mode: functional\n"));
  const std::string halving =
      "grid: { profilers.0.rate: { pow2: [4, 32] } }\nobjectives: [{ max: profilers.0.overlap }]\n"
      "search: { kind: successive-halving, points: 4, budget: workload.roi.run, from: 50_000, to: "
      "100_000, eta: 2 }\n";
  const ProcessResult first = sweep(halving);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const std::string points = read_file(at("out/points.csv"));
  const auto lose_replays = [&] {
    fs::remove(at("out/sweep.sqlite"));
    fs::remove_all(at("out/runs"));
  };
  forget_database_and_ends();  // leaves the folder as a kill during a recording does
  lose_replays();
  const ProcessResult again = sweep(halving);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("in 4 runs"));  // two recordings and their replays
  EXPECT_EQ(read_file(at("out/points.csv")), points);

  lose_replays();
  for (const auto& stream : fs::directory_iterator(at("out/streams"))) {
    fs::resize_file(stream.path(), fs::file_size(stream.path()) / 2);
  }
  const ProcessResult cut = sweep(halving);
  EXPECT_EQ(cut.exit_code, 0) << cut.err;
  EXPECT_THAT(cut.err, AllOf(HasSubstr("streams/"), HasSubstr("is damaged; it is recorded again")));
  EXPECT_EQ(read_file(at("out/points.csv")), points);
}

TEST_F(Inputs, SeedsFromTwoToThe63OnAreExact) {
  scratch_.write("base.yaml", run_file(workload("lz"), "[tiny]",
                                       "[{ name: s, rate: 16, selectors: [{ profile: edge }] }]",
                                       "mode: functional\n"));
  const ProcessResult process = sweep(
      "seeds: [9223372036854775808, 18446744073709551615]\ngrid: { profilers.0.rate: [16] "
      "}\nobjectives: [{ max: profilers.0.overlap }]\n");
  ASSERT_EQ(process.exit_code, 0) << process.err;
  EXPECT_THAT(read_file(at("out/points.csv")),
              AllOf(HasSubstr(",9223372036854775808,"), HasSubstr(",18446744073709551615,")));
  const ProcessResult report = strobe({"report", at("out").string(), "--format", "json"});
  const json points = json::parse(report.out)["points"];
  EXPECT_EQ(points[0]["seed"], "9223372036854775808") << "beyond 2^53 a page would round it";
  EXPECT_EQ(points[1]["seed"], "18446744073709551615");
}

}  // namespace
}  // namespace strobe::e2e
