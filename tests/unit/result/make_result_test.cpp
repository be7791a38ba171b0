#include "sw/result/make_result.h"

#include <gmock/gmock.h>

#include "sw/profile/counts/exhaustive_profile.h"
#include "tests/unit/result/documented_keys.h"
#include "tests/unit/result/sample_run.h"

namespace strobe::result {
namespace {

using nlohmann::json;

json sample_result() {
  return make_result(sample_configuration(), sample_outcome(), kSampleBaseline);
}

TEST(MakeResult, HasExactlyTheDocumentedKeys) {
  const json result = sample_result();
  EXPECT_EQ(keys_of(result), documented_keys("## result.json"));
  for (const json& profiler : result["profilers"]) {
    EXPECT_EQ(keys_of(profiler), documented_keys("### profilers[]"));
    for (const json& tag : profiler["tags"]) {
      EXPECT_EQ(keys_of(tag), documented_keys("### profilers[].tags"));
    }
  }
}

TEST(MakeResult, NamesWhatTheSandboxRefused) {
  platform::RunOutcome outcome = sample_outcome();
  EXPECT_EQ(make_result(sample_configuration(), outcome, kSampleBaseline)["sandbox"],
            json({{"refused", 0}, {"first", json::array()}}));
  outcome.refusals.count = 2;
  outcome.refusals.first = {{"openat", "/etc/passwd", "workload.sandbox.read"},
                            {"openat", "/proc/self/mem", ""}};
  const json sandbox = make_result(sample_configuration(), outcome, kSampleBaseline)["sandbox"];
  EXPECT_EQ(keys_of(sandbox), documented_keys("### sandbox"));
  EXPECT_EQ(sandbox["refused"], 2);
  ASSERT_EQ(sandbox["first"].size(), 2u);
  EXPECT_EQ(keys_of(sandbox["first"][0]), documented_keys("### sandbox.first[]"));
  EXPECT_EQ(sandbox["first"][0],
            json({{"call", "openat"}, {"path", "/etc/passwd"}, {"key", "workload.sandbox.read"}}));
  EXPECT_EQ(sandbox["first"][1],
            json({{"call", "openat"}, {"path", "/proc/self/mem"}, {"key", nullptr}}));
}

TEST(MakeResult, SaysWhichSystemCallsTheProxyDidNotHave) {
  platform::RunOutcome outcome = sample_outcome();
  EXPECT_FALSE(
      make_result(sample_configuration(), outcome, kSampleBaseline).contains("unsupported_calls"));
  outcome.unsupported_calls.add(97, "unshare");
  outcome.unsupported_calls.add(452, "");
  outcome.unsupported_calls.add(452, "");
  const json calls =
      make_result(sample_configuration(), outcome, kSampleBaseline)["unsupported_calls"];
  EXPECT_EQ(keys_of(calls), documented_keys("### unsupported_calls"));
  EXPECT_EQ(calls["count"], 3);
  ASSERT_EQ(calls["first"].size(), 2u);
  EXPECT_EQ(keys_of(calls["first"][0]), documented_keys("### unsupported_calls.first[]"));
  EXPECT_EQ(calls["first"][0], json({{"number", 97}, {"name", "unshare"}, {"count", 1}}));
  EXPECT_EQ(calls["first"][1], json({{"number", 452}, {"name", nullptr}, {"count", 2}}));
}

/// The sample with a ring that lost 2 messages of 100 events.
json ring_result() {
  config::RunConfig configuration = sample_configuration();
  configuration.profilers[0].communication.kind = config::Communication::kRing;
  platform::RunOutcome outcome = sample_outcome();
  platform::ProfilerOutcome& strat = outcome.profilers[0];
  strat.interrupts = 0;
  strat.events += 100;
  strat.ring.emplace();
  strat.ring->entries = 8;
  strat.ring->high_water = 7;
  strat.ring->stalls = 6;
  strat.ring->overwritten = 2;
  strat.ring->overwritten_counts = 100;
  for (const uint64_t cycles : {100, 200, 600}) strat.ring->intervals.add(cycles);
  for (const uint64_t cycles : {30, 30, 40, 60}) strat.ring->service.add(cycles);
  strat.ring->cycles = 1600;
  return make_result(configuration, outcome, kSampleBaseline);
}

TEST(MakeResult, HasExactlyTheDocumentedKeysOfARing) {
  const json ring = ring_result()["profilers"][0]["ring"];
  EXPECT_EQ(keys_of(ring), documented_keys("### profilers[].ring"));
  EXPECT_EQ(keys_of(ring["interval"]), documented_keys("### profilers[].ring.interval"));
  EXPECT_EQ(keys_of(ring["service"]), documented_keys("### profilers[].ring.interval"));
}

TEST(MakeResult, HoldsTheTimeBetweenMessagesAgainstTheTimeToServeOne) {
  const json strat = ring_result()["profilers"][0], ring = strat["ring"];
  EXPECT_DOUBLE_EQ(ring["interval"]["mean"], 300.0);
  EXPECT_EQ(ring["interval"]["count"], 3);
  EXPECT_EQ(ring["interval"]["p50"], 200);
  EXPECT_EQ(ring["service"]["p50"], 30);
  EXPECT_EQ(ring["service"]["p99"], 60);
  EXPECT_DOUBLE_EQ(ring["service"]["mean"], 40.0);
  EXPECT_DOUBLE_EQ(ring["utilisation"], 0.1);
  EXPECT_EQ(ring["overwritten"], 2);
  EXPECT_EQ(ring["high_water"], 7);
  EXPECT_EQ(ring["stalls"], 6);
}

TEST(MakeResult, CountsWhatWasOverwrittenAndChargesTheProgramNothingForARing) {
  const json strat = ring_result()["profilers"][0];
  EXPECT_EQ(strat["conserved"], true);
  EXPECT_EQ(strat["overhead_analytical_cycles"], 0);
  EXPECT_EQ(strat["interrupts"], 0);
}

TEST(MakeResult, TellsWhatTheRunWas) {
  const json result = sample_result();
  EXPECT_EQ(result["schema_version"], 1);
  EXPECT_EQ(result["workload"], "hash_join.elf");
  EXPECT_EQ(result["mode"], "timing");
  EXPECT_EQ(result["core"], "hps2005");
  EXPECT_EQ(result["end"], "exited");
  EXPECT_EQ(result["error"], json());
  EXPECT_EQ(result["exit_code"], 3);
  EXPECT_EQ(result["instructions"], 5000000);
  EXPECT_EQ(result["machine_instructions"], 12345);
  EXPECT_EQ(result["cycles"], 4040000);
  EXPECT_DOUBLE_EQ(result["ipc"], 5.0 / 4.04);
  EXPECT_EQ(result["syscalls"], 17);
  EXPECT_EQ(result["counters"]["core.branch.mispredicted"], 99);
}

TEST(MakeResult, GivesBothOverheads) {
  const json result = sample_result();
  EXPECT_EQ(result["baseline_cycles"], 4000000);
  EXPECT_DOUBLE_EQ(result["overhead_measured"], 0.01);
  // 8 messages and 2 interrupts of the active profiler: 8 * 30 + 2 * 214.
  EXPECT_EQ(result["profilers"][0]["overhead_analytical_cycles"], 668);
  EXPECT_DOUBLE_EQ(result["profilers"][0]["overhead_analytical"], 668 / 4e6);
  EXPECT_EQ(result["overhead_analytical"], result["profilers"][0]["overhead_analytical"]);
}

TEST(MakeResult, SplitsTheMeasuredOverheadByClass) {
  const json result = sample_result(), classes = result["overhead_by_class"];
  EXPECT_EQ(keys_of(classes["branch"]), documented_keys("### overhead_by_class"));
  EXPECT_EQ(classes["branch"], json({{"cycles", 40400}, {"share", 0.0101}}));
  EXPECT_EQ(classes["dependency"]["cycles"], -400) << "fewer than in the baseline";
  EXPECT_EQ(classes["base"]["cycles"], 0);
  int64_t all = 0;
  for (const json& one : classes) all += one["cycles"].get<int64_t>();
  EXPECT_EQ(all, result["cycles"].get<int64_t>() - result["baseline_cycles"].get<int64_t>());
}

TEST(MakeResult, HasNoClassesWhereThereIsNothingToCompareOrTheCyclesAreEstimates) {
  EXPECT_EQ(
      make_result(sample_configuration(), sample_outcome(), std::nullopt)["overhead_by_class"],
      json());
  auto sampled = sample_configuration();
  sampled.mode = config::Mode::kSampled;
  EXPECT_EQ(make_result(sampled, sample_outcome(), kSampleBaseline)["overhead_by_class"], json());
  auto failed = sample_outcome();
  failed.end = platform::RunEnd::kFailed;
  EXPECT_EQ(make_result(sample_configuration(), failed, kSampleBaseline)["overhead_by_class"],
            json());
}

TEST(MakeResult, FindsTheClassesOfTheFirstOfTwoCores) {
  auto outcome = sample_outcome();
  outcome.counters = {
      {"core0.cpi.base", 1300000}, {"core0.cpi.dram", 2740000}, {"core1.cpi.base", 77}};
  const json classes =
      make_result(sample_configuration(), outcome, kSampleBaseline)["overhead_by_class"];
  EXPECT_EQ(classes["base"]["cycles"], 50000);
  EXPECT_EQ(classes["dependency"]["cycles"], -1120) << "a class that the run does not have";
}

TEST(MakeResult, ChargesAPassiveProfilerAnInterruptForEveryWatermark) {
  const json random = sample_result()["profilers"][1];
  EXPECT_EQ(random["interrupts"], 3);
  EXPECT_EQ(random["overhead_analytical_cycles"], 250 * 30 + 3 * 214);
}

TEST(MakeResult, ScoresTheWholeAndEveryTag) {
  const json strat = sample_result()["profilers"][0];
  // Shares of the whole: 37.5, 12.5, 30, 20 % ideal; 450, 450, 500, 500 of 1900 seen.
  EXPECT_NEAR(strat["overlap"], 450 / 1900. + 0.125 + 500 / 1900. + 0.2, 1e-12);
  EXPECT_DOUBLE_EQ(strat["tags"]["0"]["overlap"], 0.75);
  EXPECT_DOUBLE_EQ(strat["tags"]["1"]["overlap"], 0.9);
  EXPECT_DOUBLE_EQ(strat["tags"]["1"]["overlap_90"], 0.9);
  EXPECT_DOUBLE_EQ(strat["tags"]["1"]["invariance_error"], 0.1);
  EXPECT_DOUBLE_EQ(strat["tags"]["1"]["max_entry_error"], 0.1);
  EXPECT_EQ(strat["tags"]["1"]["invariance_loads"], 1);
  EXPECT_EQ(strat["tags"]["1"]["invariance_tuples"], 2);
  EXPECT_EQ(strat["tags"]["0"]["profile"], "edge");
  EXPECT_EQ(strat["tags"]["1"]["profile"], "value");
  EXPECT_EQ(strat["tags"]["0"]["events"], 1000);
  EXPECT_EQ(strat["tags"]["0"]["exhaustive_tuples"], 2);
  EXPECT_EQ(strat["exhaustive_tuples"], 4);
  EXPECT_EQ(strat["exhaustive_bytes"], profile::ExhaustiveProfile::bytes_for(4));
  EXPECT_DOUBLE_EQ(sample_result()["profilers"][1]["overlap"], 1.0);
}

TEST(MakeResult, NamesEveryProfileThatSharesATag) {
  auto configuration = sample_configuration();
  configuration.profilers[0].selectors[1].tag = 0;
  const json tags =
      make_result(configuration, sample_outcome(), kSampleBaseline)["profilers"][0]["tags"];
  EXPECT_EQ(tags.size(), 1u);
  EXPECT_EQ(tags["0"]["profile"], "edge+value");
}

TEST(MakeResult, HasNoAccuracyWhereThereWereNoEvents) {
  const json calls = sample_result()["profilers"][2];
  for (const json& part : {calls, calls["tags"]["0"]}) {
    EXPECT_EQ(part["events"], 0);
    EXPECT_EQ(part["overlap"], json());
    EXPECT_EQ(part["overlap_90"], json());
    EXPECT_EQ(part["max_entry_error"], json());
    EXPECT_EQ(part["invariance_error"], json());
  }
}

TEST(MakeResult, GivesTheShareOfTheEventsThatTheQueueDropped) {
  auto outcome = sample_outcome();
  outcome.profilers[0].events = 2000;
  outcome.profilers[0].dropped = 50;
  const json result = make_result(sample_configuration(), outcome, kSampleBaseline);
  EXPECT_DOUBLE_EQ(result["profilers"][0]["dropped_share"], 0.025);
}

TEST(MakeResult, ChecksConservation) {
  EXPECT_EQ(sample_result()["profilers"][0]["conserved"], true);
  EXPECT_EQ(sample_result()["profilers"][1]["conserved"], json());  // random: an estimate
  auto outcome = sample_outcome();
  outcome.profilers[0].residue -= 1;
  const json result = make_result(sample_configuration(), outcome, kSampleBaseline);
  EXPECT_EQ(result["profilers"][0]["conserved"], false);
}

TEST(MakeResult, IsItsOwnBaselineWhenNobodyIsActive) {
  auto outcome = sample_outcome();
  outcome.profilers.erase(outcome.profilers.begin());
  const json result = make_result(sample_configuration(), outcome, std::nullopt);
  EXPECT_EQ(result["baseline_cycles"], 4040000);
  EXPECT_EQ(result["overhead_measured"], json());
  EXPECT_EQ(result["overhead_analytical"], json());
  EXPECT_DOUBLE_EQ(result["profilers"][0]["overhead_analytical"], (7500 + 642) / 4.04e6);
}

TEST(MakeResult, HasNoOverheadWithoutABaseline) {
  const json result = make_result(sample_configuration(), sample_outcome(), std::nullopt);
  EXPECT_EQ(result["baseline_cycles"], json());
  EXPECT_EQ(result["overhead_measured"], json());
  EXPECT_EQ(result["overhead_analytical"], json());
  EXPECT_EQ(result["profilers"][0]["overhead_analytical_cycles"], 668);
}

TEST(MakeResult, HasNoOverheadOfARunThatWasCutShort) {
  for (const auto& [end, name] : {std::pair{platform::RunEnd::kFailed, "failed"},
                                  std::pair{platform::RunEnd::kLimit, "limit"},
                                  std::pair{platform::RunEnd::kDeadlock, "deadlock"}}) {
    auto outcome = sample_outcome();
    outcome.end = end;
    outcome.error = "no commit for 100000 cycles";
    const json result = make_result(sample_configuration(), outcome, kSampleBaseline);
    EXPECT_EQ(result["end"], name);
    EXPECT_EQ(result["error"], "no commit for 100000 cycles");
    EXPECT_EQ(result["exit_code"], json());
    EXPECT_EQ(result["overhead_measured"], json());
  }
}

TEST(MakeResult, OfARegionHasOverheadsAndNoExitCode) {
  auto outcome = sample_outcome();
  outcome.end = platform::RunEnd::kRegionDone;
  const json result = make_result(sample_configuration(), outcome, kSampleBaseline);
  EXPECT_EQ(result["end"], "region");
  EXPECT_EQ(result["exit_code"], json());
  EXPECT_DOUBLE_EQ(result["overhead_measured"], 0.01);
}

TEST(MakeResult, HasNoIpcInFunctionalMode) {
  auto configuration = sample_configuration();
  configuration.mode = config::Mode::kFunctional;
  auto outcome = sample_outcome();
  outcome.cycles = 0;
  const json result = make_result(configuration, outcome, std::nullopt);
  EXPECT_EQ(result["mode"], "functional");
  EXPECT_EQ(result["ipc"], json());
  EXPECT_EQ(result["overhead_measured"], json());
}

TEST(MakeResult, OfASampledRunSaysHowSureItsEstimatesAre) {
  auto configuration = sample_configuration();
  configuration.mode = config::Mode::kSampled;
  auto outcome = sample_outcome();
  outcome.cycles = 11000;
  outcome.instructions = 10000;
  profile::Samples samples;
  samples.unit = 100;
  samples.instructions = 10000;
  samples.interrupts = 4;
  samples.start_instructions = 4000;
  samples.start_cycles = 4000;
  for (int i = 0; i < 15; ++i) {
    for (const uint64_t cycles : {90, 110, 100, 100}) samples.unit_cycles.push_back(cycles);
  }
  samples.interrupt_cycles = {250, 250};
  outcome.samples = samples;
  profile::Samples baseline = samples;
  baseline.interrupts = 0;
  baseline.interrupt_cycles.clear();
  const json result = make_result(configuration, outcome, BaselineRun{10000, {}, baseline});
  EXPECT_EQ(result["mode"], "sampled");
  EXPECT_EQ(result["overhead_measured"], 0.1);
  const json& sampling = result["sampling"];
  EXPECT_EQ(keys_of(sampling), documented_keys("### sampling"));
  // The half-width for one unit, whose mean is 100 cycles; 60 units follow the start.
  const double error = profile::confidence_t(59) * std::sqrt(15 * 200.0 / 59 / 60);
  EXPECT_NEAR(sampling["cycles_half_width"].get<double>(), 60 * error, 1e-9);
  EXPECT_NEAR(sampling["baseline_cycles_half_width"].get<double>(), 60 * error, 1e-9);
  EXPECT_NEAR(sampling["ipc_half_width"].get<double>(), 10.0 / 11 * 60 * error / 11000, 1e-9);
  EXPECT_GT(sampling["overhead_half_width"].get<double>(), 0.0);
  EXPECT_EQ(sampling["start"], 4000);
  EXPECT_EQ(sampling["units"], 60);
  EXPECT_EQ(sampling["interrupts"], 4);
  EXPECT_EQ(sampling["interrupts_measured"], 2);
  EXPECT_EQ(make_result(configuration, outcome, std::nullopt)["sampling"]["overhead_half_width"],
            json());
}

TEST(MakeResult, RefusesAProfilerTheConfigurationDoesNotHave) {
  auto configuration = sample_configuration();
  configuration.profilers.erase(configuration.profilers.begin());
  try {
    make_result(configuration, sample_outcome(), kSampleBaseline);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "make_result: the run returned a profiler 'strat' that its configuration does not "
                 "have");
  }
}

TEST(MakeResult, GivesTheSameBytesForTheSameRunFromAnotherDirectory) {
  auto configuration = sample_configuration();
  configuration.workload.elf = "elsewhere/hash_join.elf";
  configuration.source = "/tmp/run.yaml";
  EXPECT_EQ(make_result(configuration, sample_outcome(), kSampleBaseline).dump(),
            sample_result().dump());
}

TEST(MakeResult, PrintsDoublesThatReadBackTheSame) {
  const json result = sample_result();
  EXPECT_EQ(json::parse(result.dump()), result);
}

}  // namespace
}  // namespace strobe::result
