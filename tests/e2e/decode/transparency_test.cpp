// Profiling in the decode stage does not change the program: random programs end with the same
// registers and the same memory with every production set as without one.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"
#include "tests/unit/isa/lockstep/random_stream.h"

namespace strobe::e2e {
namespace {

using isa::lockstep::RandomStream;
using nlohmann::json;

constexpr unsigned kUnits = 500;
constexpr size_t kRoom = 4096, kArena = 0x3000;

// What the .dise files of configs/profilers/hps that go together are called there.
const std::vector<std::string> kSets[] = {
    {"sampling", "hot-data-streams"},
    {"sampling", "hot-call-pairs"},
    {"sampling", "hot-methods"},
    {"sampling", "hot-call-pairs", "hot-methods"},
    {"plain-sampling", "plain-hot-data-streams"},
    {"plain-hot-call-pairs"},
    {"plain-hot-methods"},
};

uint32_t jump(uint32_t distance) {
  return 0x6f | (distance >> 20 & 1) << 31 | (distance >> 1 & 0x3ff) << 21 |
         (distance >> 11 & 1) << 20 | (distance >> 12 & 0xff) << 12;
}

class Transparency : public testing::TestWithParam<uint64_t> {
 protected:
  void SetUp() override {
    std::string elf = read_file(program("random_code"));
    RandomStream random(GetParam());
    std::vector<uint8_t> code = random.code(kUnits);
    ASSERT_LE(code.size(), kRoom);
    const size_t end = code.size() - 4;  // the offset of the ecall that ends a stream
    const uint32_t leave = jump(static_cast<uint32_t>(kRoom - end));
    std::memcpy(&code[end], &leave, sizeof leave);
    std::memcpy(behind(elf, "the code"), code.data(), code.size());

    char* memory = behind(elf, "memory::");
    for (size_t i = 0; i < kArena - 8; i += 8) {
      put(memory + i, random.below(2) == 0 ? random.integer() : random.binary64());
    }
    char* registers = behind(elf, "register");
    for (unsigned r = 0; r < 32; ++r) {
      if (r != 0 && r != 2 && r != 8 && r != 9) put(registers + 8 * r, random.integer());
      const bool single = isa::lockstep::is_single_register(r);
      put(registers + 256 + 8 * r, single ? random.binary32() : random.binary64());
    }
    put(registers + 512, random.below(5) << 5 | random.below(32));
    elf_ = scratch_.write("random.elf", elf).string();
    plain_ = run("mode: functional\n").output;
    ASSERT_EQ(plain_.size(), 520 + kArena);
  }

  struct Run {
    std::string output;
    json profile;
  };
  /// @param more  lines of the run file
  Run run(const std::string& more) {
    const auto file =
        scratch_.write("run.yaml", run_file(elf_, "[]", "[]", "baseline: false\n" + more));
    const auto out = scratch_.path() / "out";
    const ProcessResult process =
        strobe({"run", file.string(), "--out", out.string(), "--force", "--quiet"});
    EXPECT_EQ(process.exit_code, 0) << process.err;
    return {read_file(out / "stdout.txt"), read_json(out / "result.json").at("profile")};
  }

  /// Every set in this mode gives the program's registers and memory; together they collect.
  void expect_transparent(const std::string& mode) {
    uint64_t collected = 0;
    for (const std::vector<std::string>& set : kSets) {
      std::string files;
      for (const std::string& name : set) {
        files +=
            (files.empty() ? "" : ", ") + (in_source("configs/profilers/hps/") + name + ".dise");
      }
      const Run edited = run(mode + "decode: { productions: [" + files +
                             "], sparsity: 3, burst: 2, " + decode_ + " }\n");
      EXPECT_TRUE(edited.output == plain_) << files << " in " << mode;
      for (const char* key : {"methods", "call_pairs"}) {
        if (edited.profile.contains(key)) {
          collected += edited.profile.at(key).at("events").get<uint64_t>();
        }
      }
    }
    EXPECT_GT(collected, 20u);
  }

  std::string decode_ = "fidelity: model";

 private:
  static char* behind(std::string& elf, const char* mark) {
    const size_t at = elf.find(mark);
    if (at == std::string::npos) throw std::runtime_error(std::string("no ") + mark);
    return elf.data() + at + std::strlen(mark);
  }
  static void put(char* at, uint64_t value) { std::memcpy(at, &value, sizeof value); }

  ScratchDirectory scratch_;
  std::string elf_, plain_;
};

TEST_P(Transparency, OfEveryProductionSetInModeFunctional) {
  expect_transparent("mode: functional\n");
}

TEST_P(Transparency, OfEveryProductionSetInModeTiming) { expect_transparent("mode: timing\n"); }

TEST_P(Transparency, OfTheEngineInRtl) {
  decode_ = "fidelity: lockstep";
  expect_transparent("mode: timing\n");
}

INSTANTIATE_TEST_SUITE_P(Seeds, Transparency, testing::Range<uint64_t>(1, 7));

}  // namespace
}  // namespace strobe::e2e
