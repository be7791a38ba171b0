// The address space: break, mappings, protection, limits.
#include <limits>

#include "tests/unit/linux/call_fixture.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kRw = abi::kProtRead | abi::kProtWrite;
constexpr uint64_t kAnonymous = abi::kMapPrivate | abi::kMapAnonymous;
constexpr uint64_t kHugeSize = std::numeric_limits<uint64_t>::max();

class MemoryCallTest : public CallTest {
 protected:
  int64_t map(uint64_t size, uint64_t protection = kRw, uint64_t flags = kAnonymous,
              uint64_t address = 0) {
    return call("mmap", {address, size, protection, flags, kHugeSize, 0});
  }
  uint64_t must_map(uint64_t size) {
    const int64_t address = map(size);
    EXPECT_GT(address, 0);
    return static_cast<uint64_t>(address);
  }
  bool may(uint64_t address, uint8_t need) const { return memory_->user_may(address, 1, need); }
};

TEST_F(MemoryCallTest, TheBreakStartsBehindTheProgramAndMoves) {
  const int64_t start = call("brk", {0});
  EXPECT_EQ(start, static_cast<int64_t>(kProgramEnd));
  EXPECT_EQ(call("brk", {kProgramEnd + 5000}), start + 5000);
  EXPECT_TRUE(may(kProgramEnd + 2 * kPage - 1, GuestMemory::kWrite));
  EXPECT_FALSE(may(kProgramEnd + 2 * kPage, GuestMemory::kRead));
  EXPECT_EQ(call("brk", {kProgramEnd + 10}), start + 10);
  EXPECT_FALSE(may(kProgramEnd + kPage, GuestMemory::kRead));
  EXPECT_EQ(call("brk", {kProgramEnd - 1}), start + 10) << "not below its start";
  EXPECT_EQ(call("brk", {kHugeSize}), start + 10);
}

TEST_F(MemoryCallTest, TheBreakStopsAtTheLimitAndAtMappings) {
  EXPECT_EQ(call("brk", {kProgramEnd + kLimit}), static_cast<int64_t>(kProgramEnd));
  const uint64_t obstacle = kProgramEnd + 16 * kPage;
  ASSERT_EQ(map(kPage, kRw, kAnonymous | abi::kMapFixed, obstacle), static_cast<int64_t>(obstacle));
  EXPECT_EQ(call("brk", {obstacle + 1}), static_cast<int64_t>(kProgramEnd));
  EXPECT_EQ(call("brk", {obstacle}), static_cast<int64_t>(obstacle));
}

TEST_F(MemoryCallTest, FreedHeapComesBackAsZero) {
  call("brk", {kProgramEnd + kPage});
  user_->put(kProgramEnd, uint64_t{42});
  call("brk", {kProgramEnd});
  call("brk", {kProgramEnd + kPage});
  EXPECT_EQ(value<uint64_t>(kProgramEnd), 0u);
}

TEST_F(MemoryCallTest, MappingsGoTopDownBelowTheGuardOfTheStack) {
  const uint64_t first = must_map(3 * kPage);
  EXPECT_EQ(first + 3 * kPage, AddressSpace::kLowestStack);
  EXPECT_EQ(must_map(1), first - kPage);
  EXPECT_FALSE(may(AddressSpace::kLowestStack, GuestMemory::kRead)) << "the guard";
  EXPECT_TRUE(may(STROBE_USER_TOP - AddressSpace::kStackSize, GuestMemory::kWrite));
  call("munmap", {first, 3 * kPage});
  EXPECT_EQ(must_map(2 * kPage), first + kPage) << "a hole is used again";
}

TEST_F(MemoryCallTest, PagesHaveTheAskedPermissionsAndMachineModeMayReadAndWrite) {
  const auto at = static_cast<uint64_t>(map(kPage, abi::kProtRead));
  EXPECT_FALSE(may(at, GuestMemory::kWrite));
  EXPECT_EQ(memory_->permissions()[at / kPage] >> 3, GuestMemory::kRead | GuestMemory::kWrite);
  EXPECT_EQ(call("mprotect", {at, kPage, abi::kProtWrite}), 0);
  EXPECT_TRUE(may(at, GuestMemory::kRead | GuestMemory::kWrite)) << "RISC-V has no write-only page";
  EXPECT_EQ(call("mprotect", {at, 1, abi::kProtRead | abi::kProtExec}), 0);
  EXPECT_TRUE(may(at, GuestMemory::kExecute));
  EXPECT_EQ(call("mprotect", {at, kPage, 0}), 0);
  EXPECT_FALSE(may(at, GuestMemory::kRead));
  EXPECT_EQ(call("mprotect", {at, kPage, kRw}), 0) << "a page without permission is still mapped";
}

TEST_F(MemoryCallTest, BadArgumentsOfMapGetTheKernelsErrors) {
  EXPECT_EQ(map(0), -EINVAL);
  EXPECT_EQ(map(kHugeSize), -ENOMEM);
  EXPECT_EQ(map(kHugeSize - kPage), -ENOMEM);
  EXPECT_EQ(map(uint64_t{1} << 63), -ENOMEM);
  EXPECT_EQ(map(kPage, 0x1000), -EINVAL);
  EXPECT_EQ(map(kPage, kRw, abi::kMapAnonymous), -EINVAL) << "neither shared nor private";
  EXPECT_EQ(map(kPage, kRw, kAnonymous | abi::kMapFixed, 0x12345), -EINVAL);
  EXPECT_EQ(map(kPage, kRw, kAnonymous | abi::kMapFixed, 0), -EPERM);
  EXPECT_EQ(map(kPage, kRw, kAnonymous | abi::kMapFixed, STROBE_USER_TOP), -ENOMEM);
  EXPECT_EQ(map(kPage, kRw, kAnonymous | abi::kMapFixed, kHugeSize & ~(kPage - 1)), -ENOMEM);
  EXPECT_EQ(map(kPage, kRw, abi::kMapPrivate), -EBADF) << "no such file";
}

TEST_F(MemoryCallTest, FixedMappingsReplaceUnlessAskedNotTo) {
  const uint64_t at = must_map(2 * kPage);
  user_->put(at, uint64_t{42});
  EXPECT_EQ(map(kPage, kRw, kAnonymous | abi::kMapFixedNoreplace, at), -EEXIST);
  EXPECT_EQ(map(kPage, kRw, kAnonymous | abi::kMapFixed, at), static_cast<int64_t>(at));
  EXPECT_EQ(value<uint64_t>(at), 0u);
}

TEST_F(MemoryCallTest, AHintIsTakenWhenItIsFree) {
  EXPECT_EQ(map(kPage, kRw, kAnonymous, 0x40000000), 0x40000000);
  EXPECT_NE(map(kPage, kRw, kAnonymous, 0x40000000), 0x40000000);
}

TEST_F(MemoryCallTest, UnmapChecksItsArgumentsAndIgnoresHoles) {
  const uint64_t at = must_map(kPage);
  EXPECT_EQ(call("munmap", {at + 1, kPage}), -EINVAL);
  EXPECT_EQ(call("munmap", {at, 0}), -EINVAL);
  EXPECT_EQ(call("munmap", {at, kHugeSize}), -EINVAL);
  EXPECT_EQ(call("munmap", {at & ~uint64_t{0xfffff}, 0x100000}), 0);
  EXPECT_FALSE(may(at, GuestMemory::kRead));
  EXPECT_EQ(call("mprotect", {at, kPage, kRw}), -ENOMEM);
}

TEST_F(MemoryCallTest, TheMemoryLimitIsKeptAndGivenBack) {
  const uint64_t rest = kLimit - space_->used();
  const uint64_t at = must_map(rest);
  EXPECT_EQ(map(kPage), -ENOMEM);
  call("munmap", {at, kPage});
  EXPECT_GT(map(kPage), 0);
  EXPECT_EQ(map(kPage), -ENOMEM);
}

TEST_F(MemoryCallTest, RemapShrinksGrowsAndMovesWithItsContents) {
  const uint64_t at = must_map(4 * kPage);
  user_->put(at + kPage, uint64_t{7});
  EXPECT_EQ(call("mremap", {at, 4 * kPage, 2 * kPage, 0}), static_cast<int64_t>(at));
  EXPECT_FALSE(may(at + 2 * kPage, GuestMemory::kRead));
  EXPECT_EQ(call("mremap", {at, 2 * kPage, 4 * kPage, 0}), static_cast<int64_t>(at));
  EXPECT_EQ(call("mremap", {at, 4 * kPage, 8 * kPage, 0}), -ENOMEM) << "the guard is in the way";
  const int64_t moved = call("mremap", {at, 4 * kPage, 8 * kPage, abi::kRemapMayMove});
  ASSERT_GT(moved, 0);
  EXPECT_EQ(value<uint64_t>(static_cast<uint64_t>(moved) + kPage), 7u);
  EXPECT_TRUE(may(static_cast<uint64_t>(moved) + 8 * kPage - 1, GuestMemory::kWrite));
  EXPECT_FALSE(may(at, GuestMemory::kRead));
  EXPECT_EQ(call("mremap", {static_cast<uint64_t>(moved), 8 * kPage, kPage, 3, 0x30000000}),
            0x30000000);
}

TEST_F(MemoryCallTest, BadArgumentsOfRemapGetTheKernelsErrors) {
  const uint64_t at = must_map(2 * kPage);
  EXPECT_EQ(call("mremap", {at + 1, kPage, kPage, 0}), -EINVAL);
  EXPECT_EQ(call("mremap", {at, kPage, 0, 0}), -EINVAL);
  EXPECT_EQ(call("mremap", {at, 0, kPage, 0}), -EINVAL);
  EXPECT_EQ(call("mremap", {at, kPage, kPage, abi::kRemapFixed, 0x30000000}), -EINVAL);
  EXPECT_EQ(call("mremap", {at, 2 * kPage, 2 * kPage, 3, at + kPage}), -EINVAL) << "overlap";
  EXPECT_EQ(call("mremap", {at, kPage, kHugeSize, 1}), -ENOMEM);
  EXPECT_EQ(call("mremap", {0x30000000, kPage, 2 * kPage, 1}), -EFAULT);
  EXPECT_EQ(call("mremap", {at, kHugeSize, kPage, 1}), -EFAULT);
}

TEST_F(MemoryCallTest, DiscardedPagesReadAsZero) {
  const uint64_t at = must_map(2 * kPage);
  user_->put(at, uint64_t{1});
  EXPECT_EQ(call("madvise", {at, kPage, 3}), 0);
  EXPECT_EQ(value<uint64_t>(at), 1u) << "MADV_WILLNEED is a hint";
  EXPECT_EQ(call("madvise", {at, kPage, 4}), 0);
  EXPECT_EQ(value<uint64_t>(at), 0u);
  EXPECT_EQ(call("madvise", {0x30000000, kPage, 4}), -ENOMEM);
  EXPECT_EQ(call("madvise", {at, kPage, 99}), -EINVAL);
}

TEST_F(MemoryCallTest, AFileMappingIsACopyOfTheFile) {
  const auto fd = static_cast<uint64_t>(open("hello.txt"));
  const int64_t at = call("mmap", {0, 2 * kPage, kRw, abi::kMapPrivate, fd, 0});
  ASSERT_GT(at, 0);
  EXPECT_EQ(guest(static_cast<uint64_t>(at), 13), std::string("hello, world\0", 13));
  EXPECT_TRUE(user_->put(static_cast<uint64_t>(at), 'J'));
  EXPECT_EQ(host_file("in/hello.txt"), "hello, world");
  EXPECT_EQ(call("mmap", {0, kPage, kRw, abi::kMapShared, fd, 0}), -ENODEV);
  EXPECT_EQ(call("mmap", {0, kPage, 1, abi::kMapPrivate, fd, 1}), -EINVAL);
  EXPECT_EQ(call("mmap", {0, kPage, 1, abi::kMapPrivate, 1, 0}), -ENODEV) << "standard output";
  EXPECT_GT(call("mmap", {0, kPage, 1, abi::kMapPrivate, fd, kPage}), 0) << "behind the end";
}

TEST_F(MemoryCallTest, WhatACallChangedIsReported) {
  const uint64_t at = must_map(2 * kPage);
  call("getrandom", {at + 8, 16, 0});
  EXPECT_THAT(user_->written(), testing::ElementsAre(testing::Pair(at + 8, 16)));
  call("munmap", {at, 2 * kPage});
  EXPECT_THAT(user_->written(), testing::ElementsAre(testing::Pair(at, 2 * kPage)));
}

TEST_F(MemoryCallTest, FlushingTheInstructionCacheRaisesTheCodeEpoch) {
  ASSERT_GT(map(kPage, kRw | abi::kProtExec), 0);
  const uint64_t before = memory_->code_epoch();
  EXPECT_EQ(call("riscv_flush_icache", {0, 0, 0}), 0);
  EXPECT_GT(memory_->code_epoch(), before);
}

TEST_F(MemoryCallTest, ReadingIntoCodeRaisesTheCodeEpochAndReadingIntoDataDoesNot) {
  const auto data = static_cast<uint64_t>(map(kPage));
  const auto code = static_cast<uint64_t>(map(kPage, kRw | abi::kProtExec));
  const auto fd = static_cast<uint64_t>(open("hello.txt"));
  uint64_t before = memory_->code_epoch();
  EXPECT_EQ(call("pread64", {fd, data, 5, 0}), 5);
  EXPECT_EQ(memory_->code_epoch(), before);
  EXPECT_EQ(call("pread64", {fd, code, 5, 0}), 5);
  EXPECT_GT(memory_->code_epoch(), before);
}

}  // namespace
}  // namespace strobe::isa
