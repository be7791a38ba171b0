// A program that faults: every mode names the fault in the same way, wherever it happens in the
// run, and leaves the result of a failed run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

struct Fault {
  const char* kind;  // argument of programs/faults.c
  std::vector<std::string> words;
};

const std::vector<Fault> kFaults = {
    {"illegal",
     {"illegal instruction at pc 0x", "(illegal", "faults.c:", "instruction 0xffffffff"}},
    {"load", {"load access fault at pc 0x", "(load", "faults.c:", "address 0x5000"}},
    {"store", {"store or AMO access fault at pc 0x", "(store", "faults.c:", "address 0x5008"}},
    {"jump", {"instruction access fault at pc 0x0", "address 0x0"}},
    {"overflow",
     {"stack overflow", "(overflow", "faults.c:", "the stack pointer is 0x",
      "the stack of 8 MiB ends at 0x7f800000", "recursion"}},
    {"thread_overflow",
     {"stack overflow of thread 1: ", "(overflow", "faults.c:", "give the thread a larger stack"}},
    {"deadlock",
     {"deadlock: thread 0 (faults.elf) waits for a wake-up at 0x",
      "; thread 1 (faults.elf) waits for a", "futex at pc 0x", "lock"}},
    {"handler", {"signal 10: its handler at 0x5000 is not in memory that can be executed"}},
};

struct Way {
  const char* name;
  std::vector<std::string> sets;
  const char* command = "run";
  const char* profilers = "[]";
};

const char kActive[] =
    "[{ name: strat, kind: stratified, active: true, fidelity: model, selectors: [{ profile: edge "
    "}] "
    "}]";

const char kPassive[] = "[{ name: edges, kind: stratified }]";

const std::vector<Way> kWays = {
    {"functional", {"mode=functional"}},
    {"functional_skip", {"mode=functional", "workload.roi.skip=100000000"}},
    {"timing", {"mode=timing"}},
    {"timing_skip", {"mode=timing", "workload.roi.skip=100000000"}},
    {"timing_skip_warming",
     {"mode=timing", "workload.roi.skip=100000000", "workload.roi.warming=functional"}},
    {"timing_skip_then_detail", {"mode=timing", "workload.roi.skip=1000"}},
    {"timing_warm", {"mode=timing", "workload.roi.warm=100000000"}},
    {"timing_active", {"mode=timing"}, "run", kActive},
    // The baseline comes first: both would write the same files.
    {"timing_active_writing", {"mode=timing", "workload.sandbox.write=[written]"}, "run", kActive},
    {"timing_active_skip", {"mode=timing", "workload.roi.skip=100000000"}, "run", kActive},
    {"sampled_start", {"mode=sampled"}},
    {"sampled", {"mode=sampled", "sampling.start=1", "sampling.interval=10000000"}},
    {"sampled_in_detail", {"mode=sampled", "sampling.start=1", "sampling.interval=4000"}},
    {"sampled_active",
     {"mode=sampled", "sampling.start=1", "sampling.interval=10000000"},
     "run",
     kActive},
    {"sampled_warm", {"mode=sampled", "workload.roi.warm=100000000"}},
    {"decode",
     {"mode=timing", "workload.roi.skip=100000000",
      "decode.productions=[" + in_source("configs/profilers/hps/sampling.dise") + "]"}},
    {"record_functional", {"mode=functional"}, "record", kPassive},
    {"record_timing_skip", {"mode=timing", "workload.roi.skip=100000000"}, "record", kActive},
};

class FaultIn : public testing::TestWithParam<Way> {};

TEST_P(FaultIn, IsNamedWithItsPlaceAndLeavesAFailedResult) {
  const Way& way = GetParam();
  for (const Fault& fault : kFaults) {
    SCOPED_TRACE(fault.kind);
    const ScratchDirectory scratch;
    const fs::path file = scratch.write(
        "run.yaml",
        run_file(program("faults"), std::string("[") + fault.kind + "]", way.profilers));
    fs::create_directory(scratch.path() / "written");
    const fs::path out = scratch.path() / "out";
    std::vector<std::string> args = {way.command, file.string(), "--out", out.string()};
    for (const std::string& set : way.sets) args.insert(args.end(), {"--set", set});
    const ProcessResult process = strobe(args, scratch.path());
    EXPECT_EQ(process.exit_code, 3);
    EXPECT_THAT(process.err, Not(HasSubstr("overwritten")));
    for (const std::string& word : fault.words) EXPECT_THAT(process.err, HasSubstr(word));
    ASSERT_TRUE(fs::exists(out));
    if (std::string(way.command) == "record") continue;
    const nlohmann::json result = read_json(out / "result.json");
    EXPECT_EQ(result.at("end"), "failed");
    for (const std::string& word : fault.words) {
      EXPECT_THAT(result.at("error").get<std::string>(), HasSubstr(word));
    }
    EXPECT_EQ(result.at("exit_code"), nullptr);
    EXPECT_EQ(result.at("sampling"), nullptr);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, FaultIn, testing::ValuesIn(kWays),
                         [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace strobe::e2e
