// Programs edited for bursty tracing give the output of the original, whatever the counters, and
// execute the checks that the variant leaves (Figures 3 and 6).
#include "sw/instrument/bursty/bursty.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include "sw/files/scratch_folder.h"
#include "sw/instrument/bursty/bursts.h"
#include "sw/object/file/link_record.h"
#include "tests/tree.h"

namespace strobe::instrument {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;

std::vector<uint8_t> read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& file, const std::vector<uint8_t>& bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
  fs::permissions(file, fs::perms::owner_all);
}

/// What a program writes to both its outputs, and how it ends.
std::string behavior(const fs::path& program) {
  FILE* const pipe = popen(fmt::format("qemu-riscv64 {} 2>&1", program.string()).c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("qemu-riscv64 cannot be started");
  std::string text;
  std::array<char, 4096> buffer;
  for (size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    text.append(buffer.data(), n);
  return fmt::format("{}exit {}\n", text, pclose(pipe));
}

/// A program of the tests, linked as it is and edited.
class Edited {
 public:
  Edited(const std::string& name, const std::string& driver, const BurstyOptions& options) {
    std::ofstream(folder_ / "program.link")
        << driver << "\n-static\n"
        << in_build("tests/unit/instrument/" + name + ".o") << "\n";
    const auto record = object::LinkRecord::read(folder_ / "program.link");
    object::Program program(object::link_inputs(record, folder_ / "original"));
    Bursty bursty = make_bursty(&program, read(in_build("guest/bursty/fold.o")), options);
    counts = bursty.counts;
    std::vector<fs::path> objects;
    const auto add = [&](const object::ObjectFile& object) {
      objects.push_back(folder_ / fmt::format("{}.o", objects.size()));
      write(objects.back(), object.serialize());
    };
    add(bursty.runtime);
    for (const object::ObjectFile& object : bursty.objects) add(object);
    object::link_objects(record, objects, folder_ / "edited");
    elf_ = read(folder_ / "edited");
  }

  std::string original() const { return behavior(folder_ / "original"); }
  std::string with(uint64_t checks, uint64_t instrumented, unsigned jitter = 0) {
    set_bursts(&elf_, checks, instrumented);
    if (jitter != 0) set_distances(&elf_, checks, jitter, 1);
    write(folder_ / "set", elf_);
    return behavior(folder_ / "set");
  }

  BurstyCounts counts;

 private:
  files::ScratchFolder folder_;
  std::vector<uint8_t> elf_;
};

constexpr uint64_t kInfinity = 0x7fffffff;
constexpr std::pair<uint64_t, uint64_t> kRatios[] = {
    {kInfinity, 1}, {1, 1}, {7, 3}, {20, 1}, {1000, 50}};

class Bursty : public testing::TestWithParam<const char*> {};

TEST_P(Bursty, TheProgramDoesNotNoticeItsCopies) {
  // Exceptions pass through both copies, and cleanups run in them.
  Edited edited("throwing", "riscv64-linux-gnu-g++", variant(GetParam()));
  const std::string original = edited.original();
  ASSERT_THAT(original, HasSubstr("exit "));
  for (const auto& [checks, instrumented] : kRatios) {
    EXPECT_EQ(edited.with(checks, instrumented), original) << checks << ":" << instrumented;
  }
}

TEST_P(Bursty, ExecutesTheChecksOfItsVariant) {
  // A loop of a hundred rounds, each of which calls a leaf: one check a round at the back-edge, one
  // at the entry of the leaf.
  const std::map<std::string, int> checks = {{"orig", 200}, {"EL", 100},   {"EC", 100},
                                             {"EN", 100},   {"L4", 200},   {"L10", 200},
                                             {"LN", 100},   {"EC+L4", 100}};
  Edited edited("counted", "riscv64-linux-gnu-gcc", variant(GetParam()));
  EXPECT_THAT(edited.with(kInfinity, 1),
              testing::StartsWith(fmt::format("{} checks\n", checks.at(GetParam()))));
  EXPECT_GT(edited.counts.functions, 100u) << "the library is edited too";
  EXPECT_GT(edited.counts.sites, edited.counts.functions);
  EXPECT_LT(edited.counts.spills * 10, edited.counts.sites)
      << "a register is free nearly everywhere";
}

TEST(BurstyCounters, OfTenAndFiveMakeABurstEveryFifteenChecks) {
  // Figure 3: the tenth check begins a burst, the fifth one in it ends it; 150 checks hold ten such
  // rounds.
  Edited edited("counted", "riscv64-linux-gnu-gcc", variant("EC+L4"));
  EXPECT_THAT(edited.with(kInfinity, 1), HasSubstr("\n10 bursts, equally long\n"));
}

INSTANTIATE_TEST_SUITE_P(Variants, Bursty,
                         testing::Values("orig", "EL", "EC", "EN", "L4", "L10", "LN", "EC+L4"),
                         [](const auto& one) {
                           const std::string name = one.param;
                           return name == "EC+L4" ? std::string("EC_L4") : name;
                         });

TEST(BurstyEvents, EveryKindChangesNoOutput) {
  BurstyOptions options = variant("EC+L4");
  options.events = {EventKind::kData, EventKind::kEdge, EventKind::kCall, EventKind::kValue};
  Edited edited("throwing", "riscv64-linux-gnu-g++", options);
  const std::string original = edited.original();
  EXPECT_EQ(edited.with(1, 1), original);
  EXPECT_EQ(edited.with(20, 7), original);
}

TEST(BurstyJitter, ManyRoundsThroughTheDistancesChangeNoOutput) {
  BurstyOptions options = variant("orig");
  options.jitter = true;
  Edited edited("throwing", "riscv64-linux-gnu-g++", options);
  const std::string original = edited.original();
  EXPECT_EQ(edited.with(2, 1, 2), original);
  EXPECT_EQ(edited.with(20, 7, 5), original);
}

TEST(BurstyVariant, AnUnknownNameIsRefusedWithTheList) {
  try {
    variant("L5");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "expected orig, EL, EC, EN, L4, L10, LN or EC+L4, got 'L5'");
  }
}

}  // namespace
}  // namespace strobe::instrument
