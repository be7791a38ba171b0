// Do selectors pick what they say: by markers planted in the binary, and by the branch predictor's
// verdict?
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "sc_models/isa/elf/elf_file.h"
#include "tests/e2e/process/strobe_process.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

json run_selecting(const ScratchDirectory& scratch, const std::string& elf,
                   const std::string& selectors, const std::string& name) {
  const fs::path file = scratch.write(
      name + ".yaml", run_file(elf, "[tiny]",
                               "[{ name: p, kind: stratified, active: true, fidelity: lockstep, "
                               "rate: 4, selectors: " +
                                   selectors + " }]"));
  const ProcessResult process =
      strobe({"run", file.string(), "--out", (scratch.path() / name).string(), "--set",
              "workload.roi.run=400000"});
  EXPECT_EQ(process.exit_code, 0) << process.err;
  return read_json(scratch.path() / name / "result.json").at("profilers").at(0);
}

TEST(Selection, ATypeProfileHoldsTheMethodTablesOfTheObjects) {
  const ScratchDirectory scratch;
  const std::string elf = program("desim_marked");
  const json result = run_selecting(scratch, elf, "[{ profile: type, tag: 2 }]", "types");
  EXPECT_GT(result.at("events").get<uint64_t>(), 1000u);
  const isa::ElfFile file = isa::ElfFile::open(elf, uint64_t{1} << 31);
  std::istringstream rows(read_file(scratch.path() / "types" / "profile.p.csv"));
  std::string row, tag, pc, value;
  std::getline(rows, row);
  std::set<std::string> types;
  while (std::getline(rows, row)) {
    std::istringstream fields(row);
    std::getline(fields, tag, ',');
    std::getline(fields, pc, ',');
    std::getline(fields, value, ',');
    const std::string symbol = file.describe(std::stoull(value, nullptr, 16));
    EXPECT_EQ(symbol.rfind("vtable for ", 0), 0u) << row << ": " << symbol;
    types.insert(symbol);
  }
  EXPECT_GE(types.size(), 3u);
}

TEST(Selection, AProgramWithoutMarkersHasNoTypeProfile) {
  const ScratchDirectory scratch;
  EXPECT_EQ(
      run_selecting(scratch, workload("desim"), "[{ profile: type, tag: 2 }]", "none").at("events"),
      0);
}

TEST(Selection, MispredictedAndPredictedBranchesAreAllBranches) {
  const ScratchDirectory scratch;
  const auto events = [&](const std::string& selectors, const std::string& name) {
    return run_selecting(scratch, workload("desim"), selectors, name).at("events").get<uint64_t>();
  };
  const uint64_t wrong = events("[{ profile: edge, prediction: mispredicted }]", "wrong");
  const uint64_t right = events("[{ profile: edge, prediction: predicted }]", "right");
  const uint64_t both = events(
      "[{ profile: edge, tag: 1, prediction: mispredicted }, { profile: edge, tag: 2, prediction: "
      "predicted }]",
      "both");
  EXPECT_GT(wrong, 1000u);
  EXPECT_GT(right, wrong);
  EXPECT_EQ(both, events("[{ profile: edge }]", "all"));
  EXPECT_NEAR(static_cast<double>(wrong + right), static_cast<double>(both),
              0.02 * static_cast<double>(both))
      << "three runs: the handler disturbs the predictor differently";
}

}  // namespace
}  // namespace strobe::e2e
