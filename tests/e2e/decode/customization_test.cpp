// The application customization functions of configs/dise on whole programs: they must find what
// the program is known to do.
#include <gtest/gtest.h>

#include "sc_models/port/address_map.h"
#include "tests/e2e/process/observed_program.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;

// hot_list calls its helper 6000 times, which stores to the checksum once.
constexpr uint64_t kStores = 6000;
// The branches between the LR and the SC of the C library's locks, never taken: nothing is injected
// there (docs/blocks/dise.md).
constexpr uint64_t kReserved = 8;

class Customization : public testing::Test {
 protected:
  /// Runs hot_list with a shipped file, in which `declared` is replaced.
  json run(const std::string& name, const std::string& declared = "",
           const std::string& instead = "") {
    std::string text = read_file(in_source("configs/dise/") + name + ".dise");
    const size_t at = text.find(declared);
    EXPECT_NE(at, std::string::npos);
    text.replace(at, declared.size(), instead);
    scratch_.write("set.dise", text);
    const auto file = scratch_.write(
        "run.yaml", run_file(program("hot_list"), "[]", "[]",
                             "mode: functional\ndecode: { productions: [set.dise] }\n"));
    const auto out = scratch_.path() / "out";
    const ProcessResult process = strobe({"run", file.string(), "--out", out.string()});
    EXPECT_EQ(process.exit_code, 0) << process.err;
    EXPECT_EQ(read_file(out / "stdout.txt"), expected_output_);
    return read_json(out / "result.json").at("profile");
  }

  /// What the program does without any of them.
  struct Observed {
    void record(const RetireRecord& record) {
      if (record.opclass == OpClass::kStore) {
        ++stores;
        if (record.mem_addr >> 20 != 0) ++far_stores;
      }
      if (record.opclass == OpClass::kBranch) {
        ++branches;
        if (record.itype == IType::kBranchTaken) ++taken;
      }
    }
    uint64_t stores = 0, far_stores = 0, branches = 0, taken = 0;
  };
  void SetUp() override { expected_output_ = run_observed(program("hot_list"), {}, observed_); }

  ScratchDirectory scratch_;
  Observed observed_;
  std::string expected_output_;
};

TEST_F(Customization, AWatchpointSeesEveryStoreToItsDoubleWordAndNoOther) {
  const isa::ElfFile elf = isa::ElfFile::open(program("hot_list"), STROBE_USER_TOP);
  const uint64_t checksum = elf.symbol("checksum")->address;
  const json watchpoint =
      run("watchpoint", "watched = d2", "watched = d2, " + std::to_string(checksum & ~7ull))
          .at("watchpoint");
  EXPECT_EQ(watchpoint.at("events"), kStores);
  EXPECT_EQ(watchpoint.at("tuples"), 1);
  const std::string table = read_file(scratch_.path() / "out" / "handlers.watchpoint.csv");
  EXPECT_NE(table.find("helper"), std::string::npos) << table;
}

TEST_F(Customization, TheSandboxReportsTheStoresOutsideItsSegment) {
  ASSERT_GT(observed_.far_stores, 0u);
  ASSERT_LT(observed_.far_stores, observed_.stores);
  EXPECT_EQ(run("store-sandbox").at("sandbox").at("events"), observed_.far_stores);
}

TEST_F(Customization, BranchBiasCountsEveryConditionalBranch) {
  const json registers = run("branch-bias").at("registers");
  EXPECT_EQ(registers.at("executed").get<uint64_t>() + kReserved, observed_.branches);
  EXPECT_EQ(registers.at("taken"), observed_.taken);
}

}  // namespace
}  // namespace strobe::e2e
