// What must not change the results of a run, and what must.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/process/strobe_process.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr char kValues[] =
    "[{ name: strat, kind: stratified, active: true, fidelity: model, selectors: "
    "[{ profile: value }] }]";

json result_of(const ScratchDirectory& scratch, const std::string& elf,
               const std::string& profilers, const std::vector<std::string>& sets) {
  static unsigned number = 0;
  const std::string name = "run" + std::to_string(++number);
  const fs::path file = scratch.write(name + ".yaml", run_file(elf, "[tiny]", profilers));
  std::vector<std::string> args = {"run", file.string(), "--out", (scratch.path() / name).string()};
  for (const std::string& set : sets) {
    args.push_back("--set");
    args.push_back(set);
  }
  const ProcessResult process = strobe(args);
  EXPECT_EQ(process.exit_code, 0) << process.err;
  return read_json(scratch.path() / name / "result.json");
}

TEST(SameResults, OfAProgramThatWasRenamedWithTheNameThatItHad) {
  const ScratchDirectory scratch;
  const std::string elf = workload("othello");
  const fs::path renamed = scratch.path() / "a-much-longer-name-of-the-same-program.elf";
  fs::copy_file(elf, renamed);
  const json as_it_was = result_of(scratch, elf, kValues, {});
  const json other = result_of(scratch, renamed.string(), kValues, {});
  EXPECT_NE(other["cycles"], as_it_was["cycles"]) << "the name is on the stack";
  const json same = result_of(scratch, renamed.string(), kValues, {"workload.argv0=othello.elf"});
  for (const char* key : {"cycles", "instructions", "baseline_cycles", "profilers"})
    EXPECT_EQ(same[key], as_it_was[key]) << key;
}

// A sampler that draws nothing has the same profile with every seed, unless it begins elsewhere.
TEST(SameResults, OfEverySeedAreThoseOfASamplerThatBeginsAtItsStart) {
  const ScratchDirectory scratch;
  const auto overlap = [&](const std::string& keys, unsigned seed) {
    return result_of(
        scratch, workload("paths"), "[{ name: p, " + keys + ", selectors: [{ profile: edge }] }]",
        {"mode=functional", "seed=" + std::to_string(seed)})["profilers"][0]["overlap"];
  };
  for (const std::string kind : {"kind: periodic", "kind: stratified"}) {
    EXPECT_EQ(overlap(kind, 1), overlap(kind, 2)) << kind;
    const std::string random = kind + ", phase: random";
    EXPECT_NE(overlap(random, 1), overlap(random, 2)) << kind;
    EXPECT_EQ(overlap(random, 2), overlap(random, 2)) << kind;
  }
}

}  // namespace
}  // namespace strobe::e2e
