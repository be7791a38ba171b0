// Do the cores of configs/cores load, and say of every value where it comes from?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "sw/config/load.h"
#include "tests/tree.h"
#include "tests/unit/config/scratch.h"

namespace strobe::config {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

std::string file_of(const std::string& core) {
  return in_source("configs/cores/" + core + ".yaml");
}

LoadResult load_core(const std::string& core, std::vector<std::string> sets = {}) {
  sets.push_back("core.include=" + file_of(core));
  return load_run_config(in_source("configs/runs/quickstart.yaml"), sets);
}

TEST(NamedCores, LoadAndHaveTheNameOfTheirFile) {
  unsigned cores = 0;
  for (const auto& file : std::filesystem::directory_iterator(in_source("configs/cores"))) {
    const std::string core = file.path().stem().string();
    const LoadResult loaded = load_core(core);
    EXPECT_EQ(text::to_text(loaded.diagnostics), "") << core;
    EXPECT_EQ(loaded.configuration.core.name, core);
    ++cores;
  }
  EXPECT_GE(cores, 5u);
}

TEST(NamedCores, Inorder4IssuesInOrderAndHasTheCachesOfThePapersMachine) {
  const core::CoreParams core = load_core("inorder4").configuration.core;
  EXPECT_EQ(core.issue, core::Issue::kInOrder);
  EXPECT_EQ(core.issue_width, 4u);
  EXPECT_EQ(core.alu.count, 2u);
  EXPECT_EQ(core.fp.count, 2u);
  EXPECT_EQ(core.predictor.kind, "bimodal");
  EXPECT_EQ(core.memory.l1i.size, 8u * 1024);
  EXPECT_EQ(core.memory.l1d.size, 8u * 1024);
  EXPECT_EQ(core.memory.l2.size, 96u * 1024);
}

TEST(NamedCores, HaswellHasTheSizesOfThePapersMachineAndItsDramInNanoseconds) {
  const core::CoreParams core = load_core("haswell").configuration.core;
  EXPECT_EQ(core.rob, 192u);
  EXPECT_EQ(core.reservation_stations, 60u);
  EXPECT_EQ(core.load_queue, 72u);
  EXPECT_EQ(core.store_queue, 42u);
  EXPECT_EQ(core.memory.l1d.size, 32u * 1024);
  EXPECT_EQ(core.memory.l2.size, 256u * 1024);
  // The keys in cycles say what the clock makes of the nanoseconds.
  EXPECT_EQ(core.memory.dram_latency_at(core.frequency_ghz), core.memory.dram_latency);
  EXPECT_EQ(core.memory.dram_interval_at(core.frequency_ghz), core.memory.dram_interval);
  const core::CoreParams slow = load_core("haswell", {"core.frequency_ghz=0.8"}).configuration.core;
  EXPECT_EQ(slow.memory.dram_latency_at(slow.frequency_ghz), 46u);
}

TEST(NamedCores, EveryLineOfSomeSaysWhereItsValuesComeFrom) {
  for (const char* core : {"inorder4", "haswell"}) {
    std::istringstream lines(read_whole(file_of(core)));
    unsigned with_values = 0;
    for (std::string line; std::getline(lines, line);) {
      const bool heading = line.back() == ':' || line.rfind("name:", 0) == 0;
      if (line[0] == '#' || heading) continue;
      EXPECT_THAT(line, MatchesRegex(".*# \\[(21164|gcc|SMT|SHIM|opt|fog|7cpu|ark|derived|project|"
                                     "assumed)\\].*"));
      ++with_values;
    }
    EXPECT_GT(with_values, 30u) << core;
  }
}

TEST(CoreKeys, AnOrderOfIssueThatThereIsNotIsRefused) {
  const LoadResult loaded = load_core("hps2005", {"core.issue=inorder"});
  EXPECT_THAT(
      text::to_text(loaded.diagnostics),
      HasSubstr(
          "core.issue: unknown value, expected one of out_of_order, in_order, got 'inorder' (did "
          "you mean 'in_order'?)"));
}

TEST(CoreKeys, ACoreHasOneHartOrTwo) {
  for (const char* threads : {"0", "3"}) {
    const LoadResult loaded = load_core("hps2005", {std::string("core.threads=") + threads});
    EXPECT_THAT(text::to_text(loaded.diagnostics),
                HasSubstr(std::string("core.threads: out of range, expected 1 to 2 harts, got ") +
                          threads));
  }
}

TEST(CoreKeys, OneHartHasNothingToShare) {
  const LoadResult loaded = load_core("hps2005", {"core.smt.fetch=icount"});
  EXPECT_THAT(text::to_text(loaded.diagnostics), HasSubstr("core.smt"));
  EXPECT_THAT(text::to_text(loaded.diagnostics), HasSubstr("only for threads 2"));
}

TEST(CoreKeys, TwoHartsAreNotSampled) {
  EXPECT_THAT(text::to_text(load_core("hps2005-smt", {"mode=sampled", "profilers=[]"}).diagnostics),
              HasSubstr("core.threads: a core of two harts needs mode: timing or functional, got "
                        "sampled; set core.threads to 1, or another mode"));
}

TEST(CoreKeys, ABufferOfOneEntryHasNoHalves) {
  const std::vector<std::string> two = {"core.load_queue=1"};
  EXPECT_EQ(text::to_text(load_core("hps2005", two).diagnostics), "");
  EXPECT_THAT(
      text::to_text(load_core("hps2005-smt", two).diagnostics),
      HasSubstr("core.load_queue: expected at least 2, because core.smt.buffers: halves gives each "
                "of the two harts half of it, got 1"));
  EXPECT_EQ(
      text::to_text(
          load_core("hps2005-smt", {"core.load_queue=1", "core.smt.buffers=shared"}).diagnostics),
      "");
}

TEST(CoreKeys, IssueIsOutOfOrderUnlessItIsSaid) {
  const LoadResult loaded = load_run_text("workload: { elf: p.elf }\n", "t.yaml", {});
  EXPECT_EQ(loaded.configuration.core.issue, core::Issue::kOutOfOrder);
}

}  // namespace
}  // namespace strobe::config
