// Does a real program, run as a user runs it, give the right profile?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/e2e/process/overhead_classes.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const char kBothProfiles[] =
    "[{ name: strat, kind: stratified, active: true, fidelity: rtl, rate: 64, strata: 2048, "
    "selectors: [{ profile: edge, tag: 0 }, { profile: value, tag: 1 }] }, "
    "{ name: random64, kind: random, rate: 64 }, { name: periodic64, kind: periodic, rate: 64 }, "
    "{ name: watch, kind: stratified, rate: 64, strata: 2048 }]";

json run_ok(const fs::path& file, const fs::path& out, std::vector<std::string> more = {}) {
  std::vector<std::string> args = {"run", file.string(), "--out", out.string()};
  args.insert(args.end(), more.begin(), more.end());
  const ProcessResult process = strobe(args);
  EXPECT_EQ(process.exit_code, 0) << process.err;
  return read_json(out / "result.json");
}

/// All files but those of which docs/results.md says that they differ.
void expect_same_result(const fs::path& one, const fs::path& other) {
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(one)) {
    const fs::path name = entry.path().filename();
    if (name == "host.json") continue;
    ++files;
    if (name == "manifest.json") {
      json a = read_json(entry.path()), b = read_json(other / name);
      a.erase("command");
      b.erase("command");
      EXPECT_EQ(a, b);
    } else {
      EXPECT_EQ(read_file(entry.path()), read_file(other / name)) << name;
    }
  }
  EXPECT_GE(files, 4u);
}

const json& profiler(const json& result, const std::string& name) {
  for (const json& entry : result.at("profilers")) {
    if (entry.at("name") == name) return entry;
  }
  throw std::out_of_range("no profiler " + name);
}

TEST(Run, ConservesEveryEventThroughTheRtlPathAndTheHandler) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("run.yaml", run_file(workload("lz"), "[tiny]", kBothProfiles));
  const json result = run_ok(file, scratch.path() / "out");
  EXPECT_EQ(result.at("exit_code"), 0);
  const json& active = profiler(result, "strat");
  EXPECT_GT(active.at("events").get<uint64_t>(), 100000u);
  EXPECT_GT(active.at("interrupts").get<uint64_t>(), 0u);
  EXPECT_EQ(active.at("events").get<uint64_t>(), active.at("message_counts").get<uint64_t>() +
                                                     active.at("residue").get<uint64_t>() +
                                                     active.at("dropped").get<uint64_t>());
  EXPECT_GT(result.at("cycles").get<uint64_t>(), result.at("baseline_cycles").get<uint64_t>());
  expect_classes_add_up(result);
  EXPECT_GT(result.at("overhead_by_class").at("handler").at("cycles").get<int64_t>(), 0);
}

TEST(Run, PassiveStratifiedObserverMakesTheSameMessagesAsTheActivePathWhenNothingIsDropped) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("run.yaml", run_file(workload("othello"), "[tiny]", kBothProfiles));
  const json result = run_ok(file, scratch.path() / "out", {"--set", "profilers.0.fidelity=model"});
  const json& active = profiler(result, "strat");
  const json& watch = profiler(result, "watch");
  ASSERT_EQ(active.at("dropped"), 0);
  for (const char* key : {"events", "messages", "message_counts", "residue", "overlap"}) {
    EXPECT_EQ(active.at(key), watch.at(key)) << key;
  }
}

TEST(Run, GivesTheSameResultAtEveryFidelity) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("run.yaml", run_file(workload("json"), "[tiny]", kBothProfiles));
  std::vector<json> results;
  for (const char* fidelity : {"rtl", "model", "lockstep"}) {
    json result = run_ok(file, scratch.path() / fidelity,
                         {"--set", std::string("profilers.0.fidelity=") + fidelity});
    EXPECT_EQ(result["profilers"][0]["fidelity"], fidelity);
    result["profilers"][0].erase("fidelity");
    results.push_back(result);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Run, WithAPortInTheCoreAMessageCostsLessAndNoneIsLost) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("run.yaml", run_file(workload("json"), "[tiny]", kBothProfiles));
  const auto with_port = [&](const char* port, const char* fidelity) {
    return run_ok(file, scratch.path() / (std::string(port) + fidelity),
                  {"--set", std::string("profilers.0.communication.port=") + port, "--set",
                   std::string("profilers.0.fidelity=") + fidelity, "--set", "baseline=false"});
  };
  const json bus = with_port("bus", "model"), core = with_port("core", "model");
  json lockstep = with_port("core", "lockstep");
  lockstep["profilers"][0]["fidelity"] = "model";
  EXPECT_EQ(core, lockstep);
  const json &active = core["profilers"][0], &waits = bus["profilers"][0];
  EXPECT_EQ(active["conserved"], true);
  EXPECT_EQ(active["events"], waits["events"]);
  const auto handler = [](const json& result) {
    return result["counters"]["core.cpi.handler"].get<double>();
  };
  EXPECT_LT(handler(core), 0.8 * handler(bus));
}

TEST(Run, WritesTheSameBytesFromAnyDirectory) {
  const ScratchDirectory here, there;
  const fs::path file =
      here.write("run.yaml", run_file(workload("btree"), "[tiny]", kBothProfiles));
  ASSERT_EQ(
      strobe({"run", file.string(), "--out", (here.path() / "a").string()}, here.path()).exit_code,
      0);
  ASSERT_EQ(strobe({"run", file.string(), "--out", (there.path() / "b").string()}, "/").exit_code,
            0);
  expect_same_result(here.path() / "a", there.path() / "b");
}

TEST(Run, WritesTheSameBytesWhereverItsFilesAreAndRunsAgainFromItsResult) {
  const ScratchDirectory here, there;
  for (const ScratchDirectory* scratch : {&here, &there}) {
    const fs::path& path = scratch->path();
    fs::create_directories(path / "data");
    fs::copy_file(program("known_profile"), path / "p.elf");
    const std::string text =
        "core: { include: " + in_source("configs/cores/hps2005.yaml") +
        " }\nworkload:\n  elf: " + (path / "p.elf").string() +
        "\n  stdin: " + scratch->write("in.txt", "words").string() + "\n  sandbox: { read: [" +
        (path / "data").string() + "] }\ndecode: { productions: [" +
        scratch->write("a.dise", read_file(in_source("configs/profilers/hps/sampling.dise")))
            .string() +
        "] }\n";
    run_ok(scratch->write("run.yaml", text), path / "out");
  }
  expect_same_result(here.path() / "out", there.path() / "out");

  const std::string config = (here.path() / "out/config.yaml").string();
  const auto again = [&](const std::vector<std::string>& sets) {
    std::vector<std::string> args = {"run", config, "--out", (here.path() / "again").string()};
    for (const std::string& set : sets) args.insert(args.end(), {"--set", set});
    return strobe(args);
  };
  const ProcessResult lost = again({});
  EXPECT_EQ(lost.exit_code, 2);
  for (const char* key :
       {"workload.elf", "workload.stdin", "workload.sandbox.read", "decode.productions"}) {
    EXPECT_NE(lost.err.find(std::string("name its path with --set ") + key + "="),
              std::string::npos)
        << lost.err;
  }
  const std::string path = here.path().string() + "/";
  const ProcessResult found = again(
      {"workload.elf=" + path + "p.elf", "workload.stdin=" + path + "in.txt",
       "workload.sandbox.read=[" + path + "data]", "decode.productions=[" + path + "a.dise]"});
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_EQ(read_file(here.path() / "again/result.json"),
            read_file(here.path() / "out/result.json"));
}

TEST(Run, WritesTheSameResultWithoutProgressAndWithAnotherCache) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("run.yaml", run_file(workload("regex"), "[tiny]", kBothProfiles));
  run_ok(file, scratch.path() / "plain");
  run_ok(file, scratch.path() / "quiet", {"--quiet"});
  ::setenv("STROBE_CACHE", (scratch.path() / "cache").c_str(), 1);
  run_ok(file, scratch.path() / "cached");
  ::unsetenv("STROBE_CACHE");
  const std::string plain = read_file(scratch.path() / "plain/result.json");
  EXPECT_GT(plain.size(), 1000u);
  EXPECT_EQ(plain, read_file(scratch.path() / "quiet/result.json"));
  EXPECT_EQ(plain, read_file(scratch.path() / "cached/result.json"));
}

TEST(Run, FindsTheCallTargetsOfAKnownProgramInTheirKnownRatio) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write(
      "run.yaml",
      run_file(program("known_profile"), "[]",
               "[{ name: calls, active: true, fidelity: rtl, rate: 16, strata: 256, "
               "selectors: [{ profile: call_target, opclasses: [call_indirect], tag: 3 }] }]"));
  const json result = run_ok(file, scratch.path() / "out");
  EXPECT_EQ(result.at("exit_code"), 42);
  EXPECT_EQ(read_file(scratch.path() / "out" / "stdout.txt"), "total 220000\n");
  // 140,000 indirect calls from one site: a : b : c = 4 : 2 : 1, within the counts still held.
  const std::string csv = read_file(scratch.path() / "out" / "profile.calls.csv");
  std::istringstream lines(csv);
  std::string line;
  std::vector<uint64_t> counts;
  std::getline(lines, line);
  ASSERT_EQ(line, "tag,pc,value,count,symbol");
  while (std::getline(lines, line)) {
    ASSERT_EQ(line.substr(0, 2), "3,");
    const size_t value = line.find(',', 2), count = line.find(',', value + 1);
    counts.push_back(std::stoull(line.substr(count + 1)));
  }
  std::sort(counts.rbegin(), counts.rend());
  ASSERT_GE(counts.size(), 3u);
  EXPECT_NEAR(static_cast<double>(counts[0]), 80000, 16);
  EXPECT_NEAR(static_cast<double>(counts[1]), 40000, 16);
  EXPECT_NEAR(static_cast<double>(counts[2]), 20000, 16);
}

TEST(Run, FunctionalAndTimingModeExecuteTheSameInstructions) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write("run.yaml", run_file(workload("regex"), "[tiny]", "[]"));
  const json timing = run_ok(file, scratch.path() / "timing");
  const json functional = run_ok(file, scratch.path() / "functional", {"--set", "mode=functional"});
  EXPECT_EQ(timing.at("instructions"), functional.at("instructions"));
  EXPECT_EQ(read_file(scratch.path() / "timing/stdout.txt"),
            read_file(scratch.path() / "functional/stdout.txt"));
  EXPECT_GT(timing.at("ipc").get<double>(), 0.1);
  EXPECT_LT(timing.at("ipc").get<double>(), 4.0);
}

TEST(Run, TheOtherNamedCoreRunsTheSameProgramAtItsOwnSpeed) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write("run.yaml", run_file(workload("hashjoin"), "[tiny]", "[]"));
  const json hps = run_ok(file, scratch.path() / "hps2005");
  const json isca = run_ok(file, scratch.path() / "isca2001",
                           {"--set", "core.include=" + in_source("configs/cores/isca2001.yaml")});
  EXPECT_EQ(isca.at("core"), "isca2001");
  EXPECT_EQ(isca.at("instructions"), hps.at("instructions"));
  EXPECT_GT(isca.at("cycles").get<uint64_t>(), hps.at("cycles").get<uint64_t>());  // RUU of 16
}

TEST(Run, TheInOrderCoreRunsTheSameProgram) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write("run.yaml", run_file(workload("hashjoin"), "[tiny]", "[]"));
  const json hps = run_ok(file, scratch.path() / "hps2005");
  const json inorder =
      run_ok(file, scratch.path() / "inorder4",
             {"--set", "core.include=" + in_source("configs/cores/inorder4.yaml")});
  EXPECT_EQ(inorder.at("core"), "inorder4");
  EXPECT_EQ(inorder.at("instructions"), hps.at("instructions"));
  EXPECT_EQ(read_file(scratch.path() / "inorder4/stdout.txt"),
            read_file(scratch.path() / "hps2005/stdout.txt"));
  EXPECT_GT(inorder.at("cycles").get<uint64_t>(), hps.at("cycles").get<uint64_t>());
}

TEST(Run, QuickstartReachesTheAccuracyItIsMeantToShow) {
  const ScratchDirectory scratch;
  const json result = run_ok(in_source("configs/runs/quickstart.yaml"), scratch.path() / "out");
  const json& active = profiler(result, "stratified");
  EXPECT_EQ(active.at("fidelity"), "rtl");
  EXPECT_EQ(active.at("dropped"), 0);
  EXPECT_TRUE(active.at("conserved").get<bool>());
  EXPECT_GE(active.at("tags").at("0").at("overlap").get<double>(), 0.97);
  EXPECT_LE(active.at("tags").at("1").at("invariance_error").get<double>(), 0.05);
}

TEST(Run, RegionOfInterestExecutesExactlyTheInstructionsAsked) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("run.yaml", run_file(workload("lz"), "[tiny]", kBothProfiles));
  const json result = run_ok(file, scratch.path() / "out",
                             {"--set", "workload.roi.skip=100000", "--set",
                              "workload.roi.warm=50000", "--set", "workload.roi.run=200000"});
  EXPECT_EQ(result.at("end"), "region");
  EXPECT_NEAR(result.at("instructions").get<double>(), 200000, 8);
  EXPECT_TRUE(profiler(result, "strat").at("conserved").get<bool>());
}

// The events of the region, and of nothing before it, whatever the mode.
TEST(Run, ProfilersSeeTheRegionOnlyInEveryMode) {
  const ScratchDirectory scratch;
  const std::string profilers =
      "[{ name: strat, include: " + in_source("configs/profilers/stratified-2048.yaml") +
      ", active: true, fidelity: model }, { name: all, kind: periodic, rate: 1 }]";
  const auto outcome = [&](const std::string& mode, const std::string& skip,
                           const std::string& warm) {
    const std::string who =
        mode == "functional" ? "[{ name: all, kind: periodic, rate: 1 }]" : profilers;
    const fs::path file =
        scratch.write("run.yaml", run_file(workload("lz"), "[tiny]", who, "baseline: false\n"));
    const fs::path out = scratch.path() / (mode + skip + "-" + warm);
    return run_ok(file, out,
                  {"--set", "mode=" + mode, "--set", "workload.roi.skip=" + skip, "--set",
                   "workload.roi.warm=" + warm, "--set", "workload.roi.run=100000"});
  };
  const json expected = profiler(outcome("functional", "50000", "50000"), "all").at("events");
  for (const char* skip : {"0", "50000"}) {
    const std::string warm = skip == std::string("0") ? "100000" : "50000";
    const json result = outcome("timing", skip, warm);
    EXPECT_EQ(profiler(result, "all").at("events"), expected) << "skip " << skip;
    EXPECT_EQ(profiler(result, "strat").at("events"), expected) << "skip " << skip;
    EXPECT_TRUE(profiler(result, "strat").at("conserved").get<bool>());
  }
}

#ifndef STROBE_SANITIZED  // what would be measured is the sanitizers' own memory
// docs/performance.md has the figures of longer runs.
TEST(Run, MemoryDoesNotGrowWithItsLength) {
  const ScratchDirectory scratch;
  const auto peak = [&](const std::string& mode, const std::string& instructions) {
    const std::string who =
        "[{ name: strat, include: " + in_source("configs/profilers/stratified-2048.yaml") +
        std::string(mode == "timing" ? ", active: true" : "") + " }]";
    const fs::path file =
        scratch.write("run.yaml", run_file(workload("lisp"), "[ref]", who, "baseline: false\n"));
    const fs::path out = scratch.path() / (mode + instructions);
    const json result =
        run_ok(file, out, {"--set", "mode=" + mode, "--set", "workload.roi.run=" + instructions});
    EXPECT_EQ(result.at("end"), "region");
    return read_json(out / "host.json").at("peak_rss_bytes").get<double>() / 1e6;
  };
  for (const char* mode : {"functional", "timing"}) {
    const double shorter = peak(mode, "1000000"), longer = peak(mode, "8000000");
    EXPECT_LT(longer, 100.0) << mode << ": MB, the guest's own memory included";
    EXPECT_NEAR(longer, shorter, 3.0) << mode;
  }
}
#endif

TEST(Run, ABoundOnTheExhaustiveProfileIsKeptAndSaysOfWhatShareTheMetricsAre) {
  const ScratchDirectory scratch;
  const std::string values =
      "[{ name: r, kind: random, rate: 16, selectors: [{ profile: value }] }]";
  const fs::path file =
      scratch.write("run.yaml", run_file(workload("json"), "[tiny]", values, "mode: functional\n"));
  const json whole = profiler(run_ok(file, scratch.path() / "whole"), "r");
  const json bounded =
      profiler(run_ok(file, scratch.path() / "bounded", {"--set", "exhaustive_bytes=400000"}), "r");
  ASSERT_GT(whole.at("exhaustive_bytes").get<uint64_t>(), 400000u);
  EXPECT_EQ(whole.at("exhaustive_share"), 1.0);
  EXPECT_LE(bounded.at("exhaustive_bytes").get<uint64_t>(), 400000u);
  EXPECT_LT(bounded.at("exhaustive_share"), 1.0);
  EXPECT_GT(bounded.at("exhaustive_tuples"), 0);
  EXPECT_LT(bounded.at("tuples"), whole.at("tuples"));
  EXPECT_EQ(bounded.at("events"), whole.at("events"));
  EXPECT_NEAR(bounded.at("overlap").get<double>(), whole.at("overlap").get<double>(), 0.1);
}

}  // namespace
}  // namespace strobe::e2e
