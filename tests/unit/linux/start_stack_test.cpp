// What a program finds on its stack when it starts.
#include "sc_models/isa/linux/start_stack.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/unit/elf/tiny_elf.h"

namespace strobe::isa {
namespace {

class StartStackTest : public testing::Test {
 protected:
  StartStackTest() : user_(memory_), elf_(ElfFile::parse(tiny(), "tiny", STROBE_USER_TOP)) {
    memory_.protect(STROBE_USER_TOP - (1 << 20), 1 << 20, GuestMemory::kRead | GuestMemory::kWrite,
                    0);
  }

  static std::vector<uint8_t> tiny() {
    TinyElf tiny;
    tiny.segments[0] = TinyElf::segment(PF_R | PF_X, 0, 0x10000, 240, 240);
    tiny.header.e_entry = 0x100b0;
    return tiny.bytes();
  }
  uint64_t word(uint64_t address) {
    uint64_t value = 0;
    EXPECT_TRUE(user_.get(value, address));
    return value;
  }
  std::string text(uint64_t address) {
    std::string value;
    EXPECT_EQ(user_.get_path(value, address), 0);
    return value;
  }

  GuestMemory memory_;
  UserMemory user_;
  ElfFile elf_;
};

TEST_F(StartStackTest, HoldsArgumentsEnvironmentAndTheAuxiliaryVector) {
  StartStack start{{"prog", "a", ""}, {"X=1", "Y="}, {}};
  for (uint8_t i = 0; i < 16; ++i) start.random[i] = static_cast<uint8_t>(i + 1);
  const uint64_t sp = write_start_stack(user_, STROBE_USER_TOP, elf_, start);
  EXPECT_EQ(sp % 16, 0u);
  EXPECT_EQ(word(sp), 3u);
  EXPECT_EQ(text(word(sp + 8)), "prog");
  EXPECT_EQ(text(word(sp + 16)), "a");
  EXPECT_EQ(text(word(sp + 24)), "");
  EXPECT_EQ(word(sp + 32), 0u);
  EXPECT_EQ(text(word(sp + 40)), "X=1");
  EXPECT_EQ(text(word(sp + 48)), "Y=");
  EXPECT_EQ(word(sp + 56), 0u);
  std::map<uint64_t, uint64_t> auxiliary;
  for (uint64_t at = sp + 64; word(at) != AT_NULL; at += 16) auxiliary[word(at)] = word(at + 8);
  EXPECT_EQ(auxiliary[AT_PHDR], 0x10040u);
  EXPECT_EQ(auxiliary[AT_PHENT], 56u);
  EXPECT_EQ(auxiliary[AT_PHNUM], 2u);
  EXPECT_EQ(auxiliary[AT_PAGESZ], 4096u);
  EXPECT_EQ(auxiliary[AT_ENTRY], 0x100b0u);
  EXPECT_EQ(auxiliary[AT_HWCAP], 0x112du) << "A, C, D, F, I and M";
  EXPECT_EQ(auxiliary[AT_UID], 1000u);
  EXPECT_EQ(auxiliary.count(AT_SECURE), 1u);
  EXPECT_EQ(text(auxiliary[AT_EXECFN]), "prog");
  uint8_t random[16];
  EXPECT_TRUE(user_.get(random, auxiliary[AT_RANDOM]));
  EXPECT_THAT(random, testing::ElementsAreArray(start.random));
}

TEST_F(StartStackTest, TheStackPointerIsAlignedForEveryNumberOfArguments) {
  for (size_t n = 1; n < 9; ++n) {
    StartStack start;
    start.args.assign(n, std::string(n, 'x'));
    const uint64_t sp = write_start_stack(user_, STROBE_USER_TOP, elf_, start);
    EXPECT_EQ(sp % 16, 0u) << n;
    EXPECT_EQ(word(sp), n);
  }
}

TEST_F(StartStackTest, TooManyArgumentsAreRefused) {
  StartStack start;
  start.args.assign(3, std::string(50000, 'x'));
  try {
    write_start_stack(user_, STROBE_USER_TOP, elf_, start);
    FAIL() << "accepted";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "arguments and environment: expected at most 131072 bytes, got "
                 "150027; pass long data in a file");
  }
}

}  // namespace
}  // namespace strobe::isa
