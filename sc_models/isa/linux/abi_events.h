// Structures and flags of sockets, epoll and file systems in the RISC-V Linux user ABI.
#pragma once

#include <cstdint>

namespace strobe::isa::abi {

struct EpollEvent {
  uint32_t events, pad;
  uint64_t data;
};
static_assert(sizeof(EpollEvent) == 16);
constexpr uint32_t kEpollExclusive = 1u << 28, kEpollWakeUp = 1u << 29, kEpollOneShot = 1u << 30,
                   kEpollEdge = 1u << 31;
constexpr uint64_t kEpollAdd = 1, kEpollRemove = 2, kEpollChange = 3;

struct Poll {
  int32_t fd;
  int16_t events, revents;
};

struct MessageHeader {
  uint64_t name;
  uint32_t name_size, pad;
  uint64_t vector, count, control, control_size;
  uint32_t flags, pad2;
};
static_assert(sizeof(MessageHeader) == 56);

constexpr uint16_t kUnixFamily = 1;
// Flags of messages.
constexpr uint64_t kOutOfBand = 0x1, kPeek = 0x2, kTruncated = 0x20, kDoNotWait = 0x40,
                   kWaitAll = 0x100, kNoSignal = 0x4000;

constexpr uint64_t kSigPipe = 13;

struct FileSystem {
  uint64_t type, block_size, blocks, free, available, files, free_files;
  uint32_t id[2];
  uint64_t longest_name, fragment_size, flags, spare[4];
};
static_assert(sizeof(FileSystem) == 120);

}  // namespace strobe::isa::abi
