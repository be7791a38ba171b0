// The region of interest by symbol and by marker, in every mode; and the message when there is
// none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;
namespace fs = std::filesystem;

std::string region_file(const std::string& roi, const std::string& more = "") {
  return "core: { include: " + in_source("configs/cores/hps2005.yaml") + " }\n" + more +
         "workload:\n  elf: " + program("region") + "\n  roi:\n" + roi;
}

struct Finished {
  ProcessResult process;
  json result;
};

Finished run(const std::string& text, const std::string& mode = "timing") {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write("run.yaml", text);
  const fs::path out = scratch.path() / "out";
  Finished run{strobe({"run", file.string(), "--out", out.string(), "--set", "mode=" + mode}), {}};
  if (fs::exists(out / "result.json")) run.result = read_json(out / "result.json");
  return run;
}

uint64_t instructions(const std::string& roi, const std::string& mode) {
  const Finished r = run(region_file(roi), mode);
  EXPECT_EQ(r.process.exit_code, 0) << r.process.err;
  EXPECT_EQ(r.result.at("end"), "region");
  return r.result.at("instructions").get<uint64_t>();
}

class In : public testing::TestWithParam<const char*> {};

TEST_P(In, MarkersEncloseWhatIsBehindTheFirstAndTheSecondItself) {
  EXPECT_EQ(instructions("    begin: { marker: 3 }\n    end: { marker: 4 }\n", GetParam()), 6u);
}

TEST_P(In, SymbolsEncloseWhatIsFromTheFirstAndBeforeTheSecond) {
  // Calls of work with 30000, 10000, 20000 and 30000 rounds.
  const auto from = [](int call) {
    return instructions("    begin: { symbol: work, occurrence: " + std::to_string(call) +
                            " }\n    end: { symbol: work }\n",
                        GetParam());
  };
  const uint64_t one = from(2), two = from(3);
  EXPECT_NEAR(static_cast<double>(two), 2.0 * static_cast<double>(one), 50.0);
  EXPECT_GT(one, 20000u);
  EXPECT_EQ(instructions("    begin: { symbol: work, occurrence: 2 }\n    end: { symbol: work, "
                         "occurrence: 2 }\n",
                         GetParam()),
            one + two);
  EXPECT_EQ(instructions(
                "    begin: { symbol: work+0, occurrence: 2 }\n    skip: 100\n    end: { symbol: "
                "work }\n",
                GetParam()),
            one - 100);
}

TEST_P(In, RunEndsARegionBeforeItsEndIsReached) {
  EXPECT_NEAR(static_cast<double>(
                  instructions("    begin: { marker: 1, occurrence: 2 }\n    end: { marker: 2 }\n"
                               "    run: 5000\n",
                               GetParam())),
              5000.0, 8.0);
}

TEST_P(In, ARegionThatNeverBeginsOrEndsIsAnErrorThatSaysSo) {
  const Finished begin = run(region_file("    begin: { marker: 1, occurrence: 4 }\n"), GetParam());
  EXPECT_EQ(begin.process.exit_code, 3);
  EXPECT_THAT(
      begin.process.err,
      HasSubstr("run.yaml:5:22: workload.roi.begin.marker: the region of interest never began: "
                "the program ended after passing marker 1 3 times, expected occurrence 4"));
  EXPECT_EQ(begin.result.at("end"), "failed");
  const Finished end =
      run(region_file("    begin: { marker: 4 }\n    end: { symbol: work, occurrence: 4 }\n"),
          GetParam());
  EXPECT_EQ(end.process.exit_code, 3);
  EXPECT_THAT(
      end.process.err,
      HasSubstr("run.yaml:6:20: workload.roi.end.symbol: the region of interest never ended: the "
                "program ended after passing symbol 'work' 3 times, expected occurrence 4"));
  const Finished skip = run(region_file("    skip: 100000000\n"), GetParam());
  EXPECT_EQ(skip.process.exit_code, 3);
  EXPECT_THAT(skip.process.err, HasSubstr("never began: the program ended after"));
  EXPECT_THAT(skip.process.err, HasSubstr("within roi.skip = 100000000"));
}

INSTANTIATE_TEST_SUITE_P(Mode, In, testing::Values("functional", "timing"));

TEST(Sampled, RegionsAreExact) {
  const std::string fine = "sampling: { unit: 500, warm: 500, interval: 5000 }\n";
  const std::string roi = "    begin: { marker: 1, occurrence: 3 }\n    end: { marker: 2 }\n";
  const Finished sampled = run(region_file(roi, fine), "sampled");
  ASSERT_EQ(sampled.process.exit_code, 0) << sampled.process.err;
  EXPECT_EQ(sampled.result.at("end"), "region");
  EXPECT_EQ(sampled.result.at("instructions"), instructions(roi, "functional"));
}

TEST(Symbols, ThatAreNotThereOrNoCodeAreReportedWithTheirPlaceAndTheNearestName) {
  const Finished unknown = run(region_file("    begin: { symbol: wrok }\n"));
  EXPECT_EQ(unknown.process.exit_code, 2);
  EXPECT_THAT(
      unknown.process.err,
      HasSubstr("run.yaml:5:22: error: workload.roi.begin.symbol: the program has no symbol "
                "'wrok' (did you mean 'work'?)"));
  EXPECT_THAT(run(region_file("    end: { symbol: sink }\n")).process.err,
              HasSubstr("workload.roi.end.symbol: expected the address of an instruction, got 0x"));
  EXPECT_THAT(run(region_file("    end: { symbol: work+x }\n")).process.err,
              HasSubstr("expected SYMBOL or SYMBOL+OFFSET, got the offset 'x'"));
  EXPECT_THAT(run(region_file("    end: { symbol: work, marker: 2 }\n")).process.err,
              HasSubstr("workload.roi.end.marker: expected a symbol or a marker, got both"));
  EXPECT_THAT(
      run(region_file("    end: { occurrence: 2 }\n")).process.err,
      HasSubstr(
          "workload.roi.end.occurrence: expected a symbol or a marker in addition, got none"));
}

// A cold region misses where a warmed one does not; a warmed one counts what a full run counts
// there.
TEST(Warming, FunctionalLeavesCachesAndPredictorAsDetailedExecutionDoes) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("run.yaml", run_file(workload("btree"), "[tiny]", "[]", "mode: timing\n"));
  const auto counters = [&](const std::string& skip, const std::string& warm,
                            const std::string& warming) {
    const fs::path out = scratch.path() / ("out" + skip + warming);
    const ProcessResult process =
        strobe({"run", file.string(), "--out", out.string(), "--set", "workload.roi.skip=" + skip,
                "--set", "workload.roi.warm=" + warm, "--set", "workload.roi.run=200000", "--set",
                "workload.roi.warming=" + warming});
    EXPECT_EQ(process.exit_code, 0) << process.err;
    return read_json(out / "result.json").at("counters");
  };
  const json full = counters("0", "1002000", "none");
  const json warmed = counters("1000000", "2000", "functional");
  const json cold = counters("1000000", "2000", "none");
  for (const char* name : {"l1i.misses", "l1d.misses", "l2.misses", "core.branch.mispredicted"}) {
    const double truth = full.at(name).get<double>();
    // The wrong path, which fetches lines ahead of need, and reordering are not warmed.
    const double tolerance = 0.03 * truth + 15;
    EXPECT_NEAR(warmed.at(name).get<double>(), truth, tolerance) << name;
    EXPECT_GT(cold.at(name).get<double>(), truth + 2 * tolerance)
        << name << ": warming matters here";
  }
}

}  // namespace
}  // namespace strobe::e2e
