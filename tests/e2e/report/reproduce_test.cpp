// The figures of HPS on one small program: do they say what `strobe run` says?
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kDiffers = 1;

/// The y of a curve at an x as it is written, from a figure's CSV file; NaN without such a point.
double value_of(const fs::path& csv, const std::string& curve, const std::string& x) {
  std::istringstream lines(read_file(csv));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string name, at, value;
    std::getline(fields, name, ',');
    std::getline(fields, at, ',');
    std::getline(fields, value, ',');
    if (name == curve && at == x) return std::atof(value.c_str());
  }
  return std::nan("");
}

/// Guest programs among which the first workload is hot_list, and there is no other.
class ReproduceHps : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path guest = scratch_.path() / "guest";
    fs::create_directories(guest / "workloads");
    fs::copy_file(fs::path(workload("btree")).parent_path().parent_path() / "firmware.elf",
                  guest / "firmware.elf");
    fs::copy_file(program("hot_list"), guest / "workloads" / "btree.elf");
    setenv("STROBE_GUEST_DIR", guest.c_str(), 1);
    setenv("STROBE_WORKLOADS", "/nonexistent", 1);
  }
  void TearDown() override {
    unsetenv("STROBE_GUEST_DIR");
    unsetenv("STROBE_WORKLOADS");
  }

  ProcessResult reproduce(const std::string& figure,
                          const fs::path& directory = in_source("")) const {
    return strobe({"reproduce", "hps-" + figure, "--out", out().string()}, directory);
  }
  fs::path out() const { return scratch_.path() / "out"; }
  fs::path kept() const { return out() / "btree.hps.json"; }

  /// result.json of a shipped run file on the same program.
  /// A run at the paper's fixed distance between two bursts, as the pages have it.
  json run(const std::string& file, std::vector<std::string> sets) const {
    sets.emplace_back("decode.jitter=0");
    std::vector<std::string> command = {"run", "configs/runs/" + file + ".yaml", "--force", "--out",
                                        (scratch_.path() / "run").string()};
    for (std::string& set : sets) {
      command.emplace_back("--set");
      command.push_back(std::move(set));
    }
    const ProcessResult process = strobe(command, in_source(""));
    EXPECT_EQ(process.exit_code, 0) << process.err;
    return read_json(scratch_.path() / "run" / "result.json");
  }

  ScratchDirectory scratch_;
};

TEST_F(ReproduceHps, Figure6HasTheOverheadsOfTheRuns) {
  const ProcessResult process = reproduce("fig6");
  EXPECT_EQ(process.exit_code, kDiffers) << process.err;
  EXPECT_THAT(process.out, HasSubstr("ok: HPS has no basic overhead"));
  EXPECT_THAT(process.out, HasSubstr("ok: the machine is 4 wide, 12 stages"));
  EXPECT_THAT(process.out, HasSubstr("skipped: lisp (no build:workloads/lisp.elf"));
  EXPECT_THAT(process.out, HasSubstr("skipped: gzip (no cache:gzip/gzip.elf"));
  EXPECT_THAT(read_file(out() / "hps-fig6.md"), HasSubstr("| btree |"));
  const auto overhead = [&](const std::string& file, const std::vector<std::string>& sets) {
    return 100 * run(file, sets).at("overhead_measured").get<double>();
  };
  const fs::path pairs = out() / "hps-fig6-pairs.csv", streams = out() / "hps-fig6-streams.csv";
  // The baseline is that of each production set, because their boots differ by a few cycles.
  constexpr double kClose = 0.05;
  EXPECT_NEAR(value_of(pairs, "HPS", "btree"), overhead("hps-call-pairs", {}), kClose);
  EXPECT_NEAR(value_of(pairs, "with checks: plain DISE", "btree"),
              overhead("hps-plain-call-pairs", {}), kClose);
  const std::vector<std::string> single = {"decode.sparsity=99", "decode.burst=1"};
  const double plain = overhead("hps-plain-data-streams", single);
  EXPECT_NEAR(value_of(streams, "with checks: plain DISE", "btree"), plain, kClose);
  EXPECT_NEAR(value_of(streams, "HPS", "btree"), overhead("hps-data-streams", single), kClose);
  const double checks =
      overhead("hps-plain-data-streams", {"decode.sparsity=1000000000000", "decode.burst=1"});
  EXPECT_NEAR(value_of(streams, "profiling", "btree"), plain - checks, kClose);
  EXPECT_GT(checks, 0);
}

TEST_F(ReproduceHps, Figure7And8HaveTheAccuraciesAndOverheadsOfTheRuns) {
  EXPECT_EQ(reproduce("fig6").exit_code, kDiffers);
  const double figure_6 = value_of(out() / "hps-fig6-pairs.csv", "HPS", "btree");
  EXPECT_EQ(reproduce("fig7").exit_code, kDiffers);
  const fs::path accuracy = out() / "hps-fig7-accuracy.csv";
  const std::vector<std::string> functional = {"mode=functional"};
  const json pairs = run("hps-call-pairs", functional).at("profile").at("call_pairs");
  EXPECT_GT(pairs.at("events"), 90);
  EXPECT_NEAR(value_of(accuracy, "call pairs", "2"),
              100 * pairs.at("functions").at("overlap_90").get<double>(), 1e-3);
  const json methods = run("hps-methods", functional).at("profile").at("methods");
  EXPECT_NEAR(value_of(accuracy, "methods", "2"),
              100 * methods.at("functions").at("overlap_90").get<double>(), 1e-3);
  const json streams = run("hps-data-streams", functional).at("profile").at("hot_streams");
  EXPECT_GT(streams.at("bursts"), 3);
  EXPECT_NEAR(value_of(accuracy, "data streams", "2"),
              100 * streams.at("subpaths").at("exact_overlap").get<double>(), 1e-3);
  const fs::path overhead = out() / "hps-fig7-overhead.csv";
  constexpr double kClose = 0.05;  // boots of the baseline differ by a few cycles
  EXPECT_NEAR(value_of(overhead, "call pairs", "2"),
              100 * run("hps-call-pairs", {}).at("overhead_measured").get<double>(), kClose);
  EXPECT_NEAR(value_of(overhead, "data streams", "2"),
              100 * run("hps-data-streams", {}).at("overhead_measured").get<double>(), kClose);
  EXPECT_NEAR(value_of(overhead, "call pairs", "2"), figure_6, 1e-3)
      << "the same setting is the same run";

  const std::string measured = read_file(kept());
  EXPECT_EQ(reproduce("fig8").exit_code, kDiffers);
  EXPECT_EQ(read_file(kept()), measured) << "figure 8 is of the runs of figure 7";
  const json burst_10 =
      run("hps-call-pairs", {"mode=functional", "decode.burst=10", "decode.sparsity=4990"});
  EXPECT_NEAR(
      value_of(out() / "hps-fig8-pairs.csv", "burst 10", "2.69897"),
      100 * burst_10.at("profile").at("call_pairs").at("functions").at("overlap_90").get<double>(),
      1e-3);
}

TEST_F(ReproduceHps, OneProgramAndFewEventsAreNoVerdict) {
  const ProcessResult process = reproduce("fig7");
  EXPECT_THAT(process.out,
              HasSubstr("undecided: call pairs at 1/100 cost just over 1 % on average"));
  EXPECT_THAT(process.out,
              HasSubstr("fewer than 500 events were collected of call pairs at 1/100 in "
                        "bursts of 1: btree "));
  EXPECT_THAT(process.out, Not(HasSubstr("holds: ")));
  EXPECT_THAT(process.out, Not(HasSubstr("differs: ")));
}

TEST_F(ReproduceHps, RunsAreNotRepeated) {
  fs::create_directories(out());
  EXPECT_EQ(reproduce("fig6").exit_code, kDiffers);
  json changed = read_json(kept());
  for (auto& [key, facts] : changed.items()) {
    if (key.find("unprofiled") != std::string::npos) facts["cycles"] = 1;
  }
  std::ofstream(kept()) << changed;
  EXPECT_THAT(reproduce("fig6").out, HasSubstr("cycles with the framework, 1 without"));
}

TEST_F(ReproduceHps, RunsWithChangedProductionsAreMadeAnewAndTheOthersAreKept) {
  const fs::path source = scratch_.path() / "source";
  fs::create_directory(source);
  fs::copy(in_source("configs"), source / "configs", fs::copy_options::recursive);
  EXPECT_EQ(reproduce("fig6", source).exit_code, kDiffers);
  const json before = read_json(kept());
  size_t expected = before.size();
  for (const auto& run : before.items()) {
    expected += run.key().find("/plain-hot-methods.dise") != std::string::npos ? 1 : 0;
  }
  ASSERT_GT(expected, before.size());
  std::ofstream(source / "configs/profilers/hps/plain-hot-methods.dise", std::ios::app) << "\n";
  EXPECT_EQ(reproduce("fig6", source).exit_code, kDiffers);
  EXPECT_EQ(read_json(kept()).size(), expected);
}

TEST_F(ReproduceHps, RunsOfAnotherSimulatorAreMadeAnew) {
  EXPECT_EQ(reproduce("fig6").exit_code, kDiffers);
  const size_t before = read_json(kept()).size();
  const fs::path other = scratch_.path() / "strobe-experiments";
  fs::copy_file(in_build("bin/strobe-experiments"), other);
  std::ofstream(other, std::ios::app) << "another build";
  const std::string command = "cd " + in_source("") + " && " + other.string() +
                              " reproduce hps-fig6 --out " + out().string() + " 2> " +
                              (scratch_.path() / "said").string() + " > /dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), kDiffers);
  EXPECT_EQ(read_json(kept()).size(), 2 * before);
  EXPECT_THAT(
      read_file(scratch_.path() / "said"),
      HasSubstr("the kept result is of another build or of other inputs and is not used; the "
                "run is repeated"));
}

TEST_F(ReproduceHps, ADamagedFileOfResultsIsNamed) {
  fs::create_directories(out());
  std::ofstream(kept()) << "{\"half\": ";
  const ProcessResult process = reproduce("fig8");
  EXPECT_EQ(process.exit_code, 3);
  EXPECT_THAT(process.err, HasSubstr("btree.hps.json: expected a JSON object, got something else; "
                                     "remove it, and its runs are repeated"));
}

// A functional run: AddressSanitizer cannot follow an exception that passes SystemC's coroutines.
TEST_F(ReproduceHps, ARunThatFailsIsNamedWithItsReason) {
  fs::copy_file(program("illegal_instruction"), scratch_.path() / "guest/workloads/btree.elf",
                fs::copy_options::overwrite_existing);
  const ProcessResult process = reproduce("fig8");
  EXPECT_EQ(process.exit_code, 3);
  EXPECT_THAT(process.err, HasSubstr("btree.hps-streams.json: all streams profilers=[]"));
  EXPECT_THAT(process.err, HasSubstr("illegal"));
  EXPECT_FALSE(fs::exists(out() / "hps-fig8.md"));
}

/// The first group of each match.
std::set<std::string> names_with(const std::string& text, const std::regex& name) {
  std::set<std::string> names;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), name); at != std::sregex_iterator();
       ++at) {
    names.insert((*at)[1]);
  }
  return names;
}

TEST(Reproduce, ThePageOfShimHasEveryReproductionOfIt) {
  const std::string script = read_file(in_source("scripts/reproduce"));
  const size_t begin = script.find("\nshim() {"), end = script.find("}\n", begin);
  ASSERT_LT(begin, end);
  const std::set<std::string> written =
      names_with(script.substr(begin, end - begin), std::regex(" (fig[0-9]+|changes)"));
  const std::set<std::string> listed =
      names_with(strobe({"reproduce", "--list"}).out, std::regex("shim-([a-z0-9]+) "));
  EXPECT_EQ(written, listed);
  for (const int figure : {1, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}) {
    EXPECT_EQ(listed.count("fig" + std::to_string(figure)), 1u) << figure;
  }
}

TEST_F(ReproduceHps, WithoutAnyProgramSaysWhatToDo) {
  fs::remove(scratch_.path() / "guest/workloads/btree.elf");
  const ProcessResult process = reproduce("fig8");
  EXPECT_EQ(process.exit_code, 3);
  EXPECT_THAT(process.err, HasSubstr("no program to run: build the guest programs"));
}

TEST(ReproduceLimits, ThePageIsTheTableThatTheVerdictsRead) {
  const ProcessResult process = strobe({"reproduce", "--limits"}, in_source(""));
  EXPECT_EQ(process.exit_code, 0) << process.err;
  EXPECT_EQ(process.out, read_file(in_source("docs/reproductions/limits.md")))
      << "scripts/reproduce writes it";
}

}  // namespace
}  // namespace strobe::e2e
