// Includes and paths: which file a value comes from, and what the effective configuration says of
// it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "sw/config/load.h"
#include "tests/tree.h"
#include "tests/unit/config/scratch.h"

namespace strobe::config {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kIncludedRun = "workload: { elf: p.elf }\n";

TEST(Include, KeysBesideItWinAndMapsAreMerged) {
  const Scratch scratch;
  scratch.write("cores/c.yaml",
                "rob: 64\nreservation_stations: 32\nmemory: { l1d: { ways: 4, latency: 3 } }\n");
  const std::string file = scratch.write(
      "runs/r.yaml", kIncludedRun +
                         "core:\n  memory: { l1d: { latency: 5 } }\n  include: ../cores/c.yaml\n"
                         "  rob: 256\n");
  const LoadResult loaded = load_run_config(file, {});
  ASSERT_EQ(text::to_text(loaded.diagnostics), "");
  EXPECT_EQ(loaded.configuration.core.rob, 256u);
  EXPECT_EQ(loaded.configuration.core.reservation_stations, 32u);
  EXPECT_EQ(loaded.configuration.core.memory.l1d.ways, 4u);
  EXPECT_EQ(loaded.configuration.core.memory.l1d.latency, 5u);
}

TEST(Include, MissingFileNamesBothFiles) {
  const Scratch scratch;
  const std::string file =
      scratch.write("r.yaml", kIncludedRun + "core: { include: cores/none.yaml }\n");
  EXPECT_EQ(text::to_text(load_run_config(file, {}).diagnostics),
            file + ":2:18: error: core.include: cannot read the included file '" +
                scratch.file("cores/none.yaml") +
                "': No such file or directory\n"
                "  core: { include: cores/none.yaml }\n"
                "                   ^\n");
}

TEST(Include, OnlyARegularFileIsReadAndNothingIsWaitedFor) {
  const Scratch scratch;
  const std::string pipe = scratch.file("pipe.yaml");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string file = scratch.write("r.yaml", kIncludedRun + "core: { include: pipe.yaml }\n");
  EXPECT_EQ(text::to_text(load_run_config(file, {}).diagnostics),
            file + ":2:18: error: core.include: cannot read the included file '" + pipe +
                "': it is a pipe\n"
                "  core: { include: pipe.yaml }\n"
                "                   ^\n");
  EXPECT_EQ(text::to_text(load_run_config(pipe, {}).diagnostics),
            pipe + ": error: cannot read the file: it is a pipe\n");
  EXPECT_EQ(text::to_text(load_run_config("/dev/zero", {}).diagnostics),
            "/dev/zero: error: cannot read the file: it is a device\n");
}

TEST(Include, CycleIsRefused) {
  const Scratch scratch;
  const std::string file = scratch.write("r.yaml", kIncludedRun + "core: { include: a.yaml }\n");
  scratch.write("a.yaml", "include: b.yaml\n");
  scratch.write("b.yaml", "include: a.yaml\n");
  EXPECT_EQ(text::to_text(load_run_config(file, {}).diagnostics),
            scratch.file("b.yaml") + ":1:10: error: core.include: include cycle, '" +
                scratch.file("a.yaml") + "' includes itself through '" + scratch.file("b.yaml") +
                "'\n"
                "  include: a.yaml\n"
                "           ^\n");
}

TEST(Include, FaultsInAnIncludedFileHaveItsPlaces) {
  const Scratch scratch;
  const std::string file = scratch.write("r.yaml", kIncludedRun + "core: { include: c.yaml }\n");
  scratch.write("c.yaml", "# comment\nrbo: 64\n");
  EXPECT_EQ(text::to_text(load_run_config(file, {}).diagnostics),
            scratch.file("c.yaml") +
                ":2:1: error: core.rbo: unknown key (did you mean 'rob'?)\n"
                "  rbo: 64\n"
                "  ^\n");
}

TEST(Include, OverrideNamesAnotherFileInPlaceOfTheFirst) {
  const Scratch scratch;
  const std::string file = scratch.write("r.yaml", kIncludedRun + "core: { include: a.yaml }\n");
  scratch.write("a.yaml", "rob: 64\nreservation_stations: 8\n");
  scratch.write("b.yaml", "rob: 32\n");
  const LoadResult loaded = load_run_config(
      file, {"core.include=" + scratch.file("b.yaml"), "core.reservation_stations=16"});
  ASSERT_EQ(text::to_text(loaded.diagnostics), "");
  EXPECT_EQ(loaded.configuration.core.rob, 32u);
  EXPECT_EQ(loaded.configuration.core.reservation_stations, 16u);
}

TEST(Include, MissingRunFileIsOneSentence) {
  EXPECT_EQ(text::to_text(load_run_config("/nowhere/r.yaml", {}).diagnostics),
            "/nowhere/r.yaml: error: cannot read the file: No such file or directory\n");
}

// --- paths -------------------------------------------------------------------------------------

TEST(Paths, AreRelativeToTheFileThatNamesThem) {
  const Scratch scratch;
  const std::string file =
      scratch.write("runs/r.yaml", "workload: { include: ../workloads/w.yaml, stdin: in.txt }\n");
  scratch.write("workloads/w.yaml", "elf: p.elf\nsandbox: { read: [data, /abs] }\n");
  const LoadResult loaded = load_run_config(file, {});
  ASSERT_EQ(text::to_text(loaded.diagnostics), "");
  const WorkloadConfig& workload = loaded.configuration.workload;
  EXPECT_EQ(workload.elf, scratch.file("workloads/p.elf"));
  EXPECT_EQ(workload.elf_name, "../workloads/p.elf");
  EXPECT_EQ(workload.stdin_file, scratch.file("runs/in.txt"));
  EXPECT_THAT(workload.read, testing::ElementsAre(scratch.file("workloads/data"), "/abs"));
  EXPECT_THAT(loaded.effective, HasSubstr("read: [../workloads/data, /abs]"));
}

TEST(Paths, OfAnOverrideAreRelativeToWhereTheUserStands) {
  const Scratch scratch;
  const std::string file = scratch.write("runs/r.yaml", kIncludedRun);
  scratch.write("cores/c.yaml", "rob: 64\nreservation_stations: 8\n");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(scratch.file(""));
  const std::vector<std::string> sets = {"workload.stdin=in.txt", "core.include=cores/c.yaml"};
  const LoadResult relative = load_run_config("runs/r.yaml", sets);
  const LoadResult absolute = load_run_config(file, sets);
  const LoadResult beside_the_file = load_run_config(
      "runs/r.yaml", {"workload.stdin=../in.txt", "core.include=../cores/c.yaml"}, "runs");
  std::filesystem::current_path(before);
  for (const LoadResult& loaded : {relative, absolute, beside_the_file}) {
    ASSERT_EQ(text::to_text(loaded.diagnostics), "");
    EXPECT_EQ(loaded.configuration.workload.stdin_file, "in.txt");
    EXPECT_EQ(loaded.configuration.core.rob, 64u);
    EXPECT_THAT(loaded.effective, HasSubstr("stdin: ../in.txt "));  // beside the run file
  }
}

TEST(Paths, BuildPrefixIsBelowTheBuiltGuestPrograms) {
  ASSERT_EQ(setenv("STROBE_GUEST_DIR", "/guests", 1), 0);
  const LoadResult set = load_run_text("workload: { elf: 'build:workloads/lz.elf' }\n", "t", {});
  unsetenv("STROBE_GUEST_DIR");
  EXPECT_EQ(set.configuration.workload.elf, "/guests/workloads/lz.elf");
  EXPECT_EQ(set.configuration.workload.elf_name, "build:workloads/lz.elf");
  const LoadResult unset = load_run_text("workload: { elf: 'build:workloads/lz.elf' }\n", "t", {});
  EXPECT_EQ(unset.configuration.workload.elf, in_build("guest/workloads/lz.elf"));
}

TEST(Paths, CachePrefixIsBelowTheFetchedPrograms) {
  ASSERT_EQ(setenv("STROBE_WORKLOADS", "/fetched", 1), 0);
  const LoadResult set =
      load_run_text("workload: { elf: 'cache:a/a.elf', stdin: 'cache:a/input' }\n", "t", {});
  unsetenv("STROBE_WORKLOADS");
  EXPECT_EQ(set.configuration.workload.elf, "/fetched/a/a.elf");
  EXPECT_EQ(set.configuration.workload.elf_name, "cache:a/a.elf");
  EXPECT_EQ(set.configuration.workload.stdin_file, "/fetched/a/input");
}

// --- the effective configuration -----------------------------------------------------------------

TEST(Effective, HoldsNoPathOfTheHostThatTheUserDidNotWrite) {
  const std::string quickstart = in_source("configs/runs/quickstart.yaml");
  const LoadResult loaded = load_run_config(quickstart, {});
  ASSERT_EQ(text::to_text(loaded.diagnostics), "");
  EXPECT_THAT(loaded.effective, Not(HasSubstr(in_source(""))));
  EXPECT_THAT(loaded.effective, Not(HasSubstr(in_build(""))));
}

TEST(Effective, ForAResultNamesFilesWithoutTheirDirectoriesSoThatItIsTheSameEverywhere) {
  const Scratch one, two;
  const auto portable = [](const Scratch& scratch) {
    scratch.write("cores/c.yaml", "rob: 64\nreservation_stations: 8\n");
    const std::string file = scratch.write(
        "runs/r.yaml", "core: { include: " + scratch.file("cores/c.yaml") +
                           " }\nworkload:\n  elf: " + scratch.file("p.elf") +
                           "\n  stdin: ../in.txt\n  sandbox: { read: [" + scratch.file("data/") +
                           ", /], write: [" + scratch.file("out") +
                           "] }\ndecode: { productions: ['" + scratch.file("a.dise") + "'] }\n");
    const LoadResult loaded = load_run_config(file, {});
    EXPECT_EQ(text::to_text(loaded.diagnostics), "");
    return loaded.portable;
  };
  const std::string text = portable(one);
  EXPECT_EQ(text, portable(two));
  EXPECT_THAT(text, Not(HasSubstr(one.file(""))));
  for (const char* line : {"elf: p.elf ", "stdin: in.txt ", "read: [data, /]", "write: [out]",
                           "productions: [a.dise]", "rob: 64 ", "# c.yaml:1\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_EQ(text::to_text(load_run_text(text, "config.yaml", {}).diagnostics), "");
  const std::string built =
      load_run_text("workload: { elf: 'build:workloads/lz.elf' }\n", "t", {}).portable;
  EXPECT_THAT(built, HasSubstr("elf: build:workloads/lz.elf"));
}

TEST(Effective, IsTheSameFromWhateverDirectory) {
  namespace fs = std::filesystem;
  const fs::path before = fs::current_path();
  const fs::path root = in_source("");
  const std::string absolute =
      load_run_config((root / "configs/runs/quickstart.yaml").string(), {}).effective;
  fs::current_path(root / "configs/runs");
  const std::string beside = load_run_config("quickstart.yaml", {}).effective;
  fs::current_path(root);
  const std::string above = load_run_config("configs/runs/quickstart.yaml", {}).effective;
  fs::current_path(before);
  EXPECT_EQ(absolute, beside);
  EXPECT_EQ(absolute, above);
  EXPECT_NE(absolute, "");
}

std::string without_comments(const std::string& yaml) {
  std::string out;
  std::istringstream stream(yaml);
  for (std::string line; std::getline(stream, line);) {
    line.resize(std::min(line.size(), line.find("  # ")));
    line.resize(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

TEST(Effective, LoadsAgainToTheSameConfiguration) {
  const Scratch scratch;
  const std::string text =
      "workload:\n"
      "  elf: sub/p.elf\n"
      "  args: ['7', \"a b\", '', 'null', \"q\\\"\\\\\", \"\\x01\", '# no comment', 'x: y', '- "
      "z']\n"
      "  env: ['A=b c']\n"
      "  stdin: in.txt\n"
      "  sandbox: { read: ['with space', other], write: [out] }\n"
      "  roi: { skip: 18446744073709551615 }\n"
      "core: { frequency_ghz: 2.4, predictor: { kind: bimodal } }\n"
      "profilers:\n"
      "  - { name: 'x y', active: true, fidelity: lockstep, selectors: [{ profile: edge, pc: "
      "[0x10, "
      "0x20], opclasses: [branch], modes: [machine], tag: 2 }] }\n"
      "  - { name: r, kind: random, seed: 9 }\n"
      "  - { name: p, kind: periodic }\n";
  const LoadResult first = load_run_config(scratch.write("r.yaml", text), {"max_cycles=5"});
  ASSERT_EQ(text::to_text(first.diagnostics), "");
  const LoadResult again = load_run_config(scratch.write("effective.yaml", first.effective), {});
  ASSERT_EQ(text::to_text(again.diagnostics), "");
  EXPECT_EQ(without_comments(again.effective), without_comments(first.effective));
  EXPECT_EQ(again.configuration.workload.args, first.configuration.workload.args);
  EXPECT_EQ(again.configuration.workload.elf, first.configuration.workload.elf);
  EXPECT_EQ(again.configuration.workload.read, first.configuration.workload.read);
  EXPECT_EQ(again.configuration.profilers[0].selectors[0].pc_hi, 0x20u);
  EXPECT_EQ(again.configuration.core.frequency_ghz, 2.4);
}

TEST(Effective, EachValueHasItsOrigin) {
  const Scratch scratch;
  scratch.write("c.yaml", "\nrob: 64\nreservation_stations: 8\n");
  const std::string file = scratch.write(
      "r.yaml", kIncludedRun + "core: { include: c.yaml }\nprofilers: [{ name: a }]\n");
  const LoadResult loaded = load_run_config(file, {"seed=7"});
  ASSERT_EQ(text::to_text(loaded.diagnostics), "");
  std::map<std::string, std::string> origins;
  for (const EffectiveValue& value : loaded.values) origins[value.path] = value.origin;
  EXPECT_EQ(origins["core.rob"], "c.yaml:2");
  EXPECT_EQ(origins["workload.elf"], "r.yaml:1");
  EXPECT_EQ(origins["seed"], "--set");
  EXPECT_EQ(origins["mode"], "default");
  EXPECT_EQ(origins["profilers.0.selectors.0.profile"], "derived");
}

TEST(Effective, AllShippedRunsLoad) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(in_source("configs/runs"))) {
    EXPECT_EQ(text::to_text(load_run_config(entry.path().string(), {}).diagnostics), "");
    ++count;
  }
  EXPECT_GE(count, 1);
}

TEST(Effective, AllShippedCoresAndProfilersLoadInPlaceOfTheQuickstartsOwn) {
  const std::string root = in_source("configs/");
  // One profiler follows bursts.
  const std::string bursts = "decode.productions=[" + root + "profilers/hps/sampling.dise]";
  int count = 0;
  for (const char* folder : {"cores", "profilers"}) {
    for (const auto& entry : std::filesystem::directory_iterator(root + folder)) {
      if (entry.path().extension() != ".yaml") continue;  // productions
      const std::string key = std::string(folder) == "cores" ? "core" : "profilers.0";
      const LoadResult loaded = load_run_config(
          root + "runs/quickstart.yaml", {key + ".include=" + entry.path().string(), bursts});
      EXPECT_EQ(text::to_text(loaded.diagnostics), "");
      ++count;
    }
  }
  EXPECT_GE(count, 3);
}

TEST(Effective, ShippedCoresNameEveryKeySoThatNoNumberIsHidden) {
  const std::string root = in_source("configs/");
  for (const auto& entry : std::filesystem::directory_iterator(root + "cores")) {
    const LoadResult loaded =
        load_run_config(root + "runs/quickstart.yaml", {"core.include=" + entry.path().string()});
    for (const EffectiveValue& value : loaded.values) {
      if (value.path.rfind("core.", 0) != 0) continue;
      EXPECT_NE(value.origin, "default") << entry.path() << " " << value.path;
    }
  }
}

TEST(TimingModelPage, NamesTheProofOfEveryKeyOfACore) {
  std::ifstream file(in_source("docs/timing-model.md"));
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const LoadResult loaded =
      load_run_text(kIncludedRun, "t.yaml",
                    {"core.predictor.kind=tage", "core.memory.l1i.prefetch=stride",
                     "core.memory.l1d.prefetch=stride", "core.memory.l2.prefetch=stride"});
  EXPECT_EQ(text::to_text(loaded.diagnostics), "");
  for (const EffectiveValue& value : loaded.values) {
    if (value.path.rfind("core.", 0) != 0 || value.path == "core.name") continue;
    EXPECT_THAT(page, HasSubstr("`" + value.path.substr(5) + "`"));
  }
}

}  // namespace
}  // namespace strobe::config
