// Which functions an instruction is in, by the debug information of a program.
#include "sw/answer/inline_stacks.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "tests/unit/elf/debug_elf.h"

namespace strobe::answer {
namespace {

constexpr uint64_t kFirst = 0x10000,
                   kStep = 16;  // the first function, and bytes from one to the next

/// A program of one unit with `count` functions.
std::string program_of(uint32_t count) {
  std::string functions, lines;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t address = kFirst + kStep * i;
    functions += "\6f" + std::to_string(i) + '\0' + isa::raw(static_cast<uint16_t>(i + 1)) +
                 isa::raw(address) + isa::raw(static_cast<uint32_t>(kStep));
    lines += std::string("\0\x09\x02", 3) + isa::raw(address) + "\x03\x01\x01";
  }
  lines += std::string("\x02\x10\0\1\1", 5);
  std::string path = (std::filesystem::temp_directory_path() / "strobe-stacks-XXXXXX").string();
  close(mkstemp(path.data()));
  const std::vector<uint8_t> bytes =
      isa::program_of(isa::debug(isa::unit(functions), isa::line_program(lines)));
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return path;
}

TEST(InlineStacks, EachAddressIsInItsFunction) {
  const std::string path = program_of(100);
  const InlineStacks stacks(path);
  for (uint64_t i = 0; i < 100; ++i) {
    for (const uint64_t offset : {uint64_t{0}, kStep - 1}) {
      const InlineStack stack = stacks.at(kFirst + kStep * i + offset);
      ASSERT_EQ(stack.frames.size(), 1u) << i;
      EXPECT_EQ(stack.frames[0].function, "f" + std::to_string(i));
      EXPECT_EQ(stack.frames[0].start, static_cast<int>(i) + 1);
      EXPECT_EQ(stack.frames[0].line, static_cast<int>(i) + 2);
    }
  }
  EXPECT_TRUE(stacks.at(kFirst - 1).frames.empty());
  EXPECT_TRUE(stacks.at(kFirst + kStep * 100).frames.empty());
  std::filesystem::remove(path);
}

/// The processor time, in seconds, to find the stack of each function; the best of several tries.
double seconds_for(uint32_t count) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const std::string path = program_of(count);
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const double begin = now();
    const InlineStacks stacks(path);
    for (uint64_t k = 0; k < count; ++k) {
      EXPECT_EQ(stacks.at(kFirst + kStep * k).frames.size(), 1u);
    }
    best = std::min(best, now() - begin);
  }
  std::filesystem::remove(path);
  return best;
}

// Four times the functions and the look-ups: with a walk through the unit for each, 16 times the
// time.
TEST(InlineStacks, TheTimeGrowsLittleFasterThanTheFunctionsOfAUnit) {
  constexpr uint32_t kCount = 8000;
  const double all = seconds_for(kCount), quarter = seconds_for(kCount / 4);
  EXPECT_LT(all, 9 * quarter) << all << " s and " << quarter << " s";
}

}  // namespace
}  // namespace strobe::answer
