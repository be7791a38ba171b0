// Do messages get through a ring in memory to a service thread on a second core, and into the
// profile?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/process/strobe_process.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string ring_profiler(const std::string& communication, unsigned rate = 64) {
  return "[{ name: strat, kind: stratified, active: true, fidelity: model, rate: " +
         std::to_string(rate) + ", communication: { kind: ring, " + communication +
         " }, selectors: [{ profile: edge, tag: 0 }, { profile: value, tag: 1 }] }, "
         "{ name: watch, kind: stratified, rate: " +
         std::to_string(rate) + " }]";
}

/// One at a time, and slow to memory.
const char kSlowCore[] =
    "service_core: { fetch_width: 1, decode_width: 1, issue_width: 1, commit_width: 1, "
    "memory: { l1d: { latency: 20 } } }";

json run_ok(const ScratchDirectory& scratch, const std::string& name, const std::string& program,
            const std::string& profilers, std::vector<std::string> more = {}) {
  const fs::path file = scratch.write(name + ".yaml", run_file(program, "[tiny]", profilers));
  std::vector<std::string> args = {"run", file.string(), "--out", (scratch.path() / name).string()};
  args.insert(args.end(), more.begin(), more.end());
  const ProcessResult process = strobe(args);
  EXPECT_EQ(process.exit_code, 0) << process.err;
  return read_json(scratch.path() / name / "result.json");
}

uint64_t number(const json& object, const char* key) { return object.at(key).get<uint64_t>(); }

void expect_conserved(const json& profiler) {
  EXPECT_EQ(number(profiler, "events"),
            number(profiler, "message_counts") + number(profiler, "residue") +
                number(profiler, "dropped") + number(profiler["ring"], "overwritten_counts"));
  EXPECT_EQ(profiler["conserved"], true);
}

TEST(Ring, GivesTheSameResultAtEveryFidelity) {
  const ScratchDirectory scratch;
  std::vector<json> results;
  for (const char* fidelity : {"model", "rtl", "lockstep"}) {
    json result = run_ok(scratch, fidelity, workload("lz"), ring_profiler("entries: 64"),
                         {"--set", std::string("profilers.0.fidelity=") + fidelity});
    EXPECT_EQ(result["profilers"][0]["fidelity"], fidelity);
    result["profilers"][0].erase("fidelity");
    expect_conserved(result["profilers"][0]);
    results.push_back(result);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Ring, PassesWhatAnInterruptWouldAndInterruptsNobody) {
  const ScratchDirectory scratch;
  const json result = run_ok(scratch, "ring", workload("othello"), ring_profiler("entries: 1024"));
  const json &active = result["profilers"][0], &watch = result["profilers"][1];
  expect_conserved(active);
  EXPECT_EQ(active["dropped"], 0);
  EXPECT_EQ(active["interrupts"], 0);
  EXPECT_EQ(result["machine_instructions"], 0);
  for (const char* key : {"events", "messages", "message_counts", "residue", "overlap", "tuples"}) {
    EXPECT_EQ(active.at(key), watch.at(key)) << key;
  }
  const json& ring = active["ring"];
  EXPECT_EQ(number(ring["interval"], "count") + 1, number(active, "messages"));
  EXPECT_EQ(ring["overwritten"], 0);
  EXPECT_GT(number(ring, "high_water"), 0u);
  EXPECT_GT(ring["utilisation"].get<double>(), 0.001);
  EXPECT_LT(ring["utilisation"].get<double>(), 1.0);
  EXPECT_GT(ring["interval"]["mean"].get<double>(), ring["service"]["mean"].get<double>());
}

TEST(Ring, HoldsTheCompressorBackWhenTheServiceThreadIsTooSlow) {
  const ScratchDirectory scratch;
  const json active =
      run_ok(scratch, "slow", workload("lz"),
             ring_profiler("entries: 4, full: back_pressure, " + std::string(kSlowCore),
                           1))["profilers"][0];
  expect_conserved(active);
  EXPECT_EQ(active["ring"]["high_water"], 4);
  EXPECT_GT(number(active["ring"], "stalls"), 0u);
  EXPECT_EQ(active["ring"]["overwritten"], 0);
  EXPECT_GT(number(active, "stalls"), 0u) << "the buffer fills behind it";
  EXPECT_GT(number(active, "dropped"), 0u) << "and the queue behind that";
  EXPECT_GT(active["ring"]["utilisation"].get<double>(), 0.9);
}

TEST(Ring, LosesTheOldestWhenItMayWriteOverThemAndKnowsHowMuch) {
  const ScratchDirectory scratch;
  const json active = run_ok(
      scratch, "over", workload("lz"),
      ring_profiler("entries: 64, full: overwrite, " + std::string(kSlowCore), 1))["profilers"][0];
  expect_conserved(active);
  EXPECT_EQ(active["ring"]["stalls"], 0);
  EXPECT_GT(number(active["ring"], "overwritten"), 100u);
  EXPECT_GE(number(active["ring"], "overwritten_counts"), number(active["ring"], "overwritten"));
  EXPECT_GT(number(active, "messages"), 100u);
}

TEST(Ring, WorksInARegionOfInterest) {
  const ScratchDirectory scratch;
  const json result = run_ok(scratch, "roi", workload("json"), ring_profiler("entries: 64"),
                             {"--set", "workload.roi={ skip: 20000, run: 100000 }"});
  EXPECT_EQ(result["end"], "region");
  expect_conserved(result["profilers"][0]);
  EXPECT_GT(number(result["profilers"][0], "messages"), 10u);
}

TEST(Ring, OutsideTheMemoryForItIsRefusedWithItsPlace) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("bad.yaml", run_file(workload("lz"), "[tiny]", ring_profiler("base: 0x1000")));
  const ProcessResult process =
      strobe({"run", file.string(), "--out", (scratch.path() / "bad").string()});
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(process.err,
              testing::ContainsRegex("bad.yaml:3:[0-9]+: error: profilers.0.communication.base: "
                                     "expected a ring of 32768 bytes inside the guest memory"));
}

}  // namespace
}  // namespace strobe::e2e
