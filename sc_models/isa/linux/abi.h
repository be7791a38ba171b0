// The part of the RISC-V Linux user ABI that the proxy implements: flags and structure layouts.
//
// They are written out because the host's headers describe the host. Error numbers come from the
// host's <cerrno>, which has the generic ones that RISC-V uses; the assertions below check this.
#pragma once

#include <cerrno>
#include <cstdint>

namespace strobe::isa::abi {

static_assert(ENOENT == 2 && EFAULT == 14 && EINVAL == 22 && ENOSYS == 38 && ELOOP == 40 &&
                  EOVERFLOW == 75 && EOPNOTSUPP == 95 && ETIMEDOUT == 110,
              "the host's error numbers are not Linux's generic ones");

// What the guest is told about its surroundings. The values are constants, so that runs do not
// depend on the host.
constexpr uint64_t kProcessId = 100, kParentId = 1, kUserId = 1000;
constexpr uint64_t kPageSize = 4096;
constexpr uint64_t kClockTicks = 100;                // per second, for times()
constexpr uint64_t kWallClockStart = 1'000'000'000;  // seconds since 1970 when a run starts

constexpr const char* kNullDevice = "/dev/null";

constexpr int kAtFdCwd = -100;
constexpr uint64_t kAtSymlinkNofollow = 0x100, kAtRemoveDir = 0x200, kAtNoAutomount = 0x800,
                   kAtEmptyPath = 0x1000;

constexpr uint64_t kAccessMode = 3, kReadOnly = 0, kWriteOnly = 1, kReadWrite = 2;
constexpr uint64_t kCreate = 0100, kExclusive = 0200, kTruncate = 01000, kAppend = 02000,
                   kNonblock = 04000, kDirectory = 0200000, kNofollow = 0400000,
                   kLargeFile = 0100000, kCloseOnExec = 02000000, kPathOnly = 010000000,
                   kTemporary = 020000000;

// Registers of a system call and of a signal's handler, and the bytes of an ECALL.
constexpr unsigned kRa = 1, kSp = 2, kA0 = 10, kA1 = 11, kA2 = 12, kA7 = 17;
constexpr uint64_t kEcallBytes = 4;

constexpr uint64_t kProtRead = 1, kProtWrite = 2, kProtExec = 4, kProtSemaphore = 8;
constexpr uint64_t kMapShared = 1, kMapPrivate = 2, kMapSharedValidate = 3, kMapType = 15,
                   kMapFixed = 0x10, kMapAnonymous = 0x20, kMapFixedNoreplace = 0x100000;
constexpr uint64_t kRemapMayMove = 1, kRemapFixed = 2;

constexpr uint64_t kSecond = 1'000'000'000;  // nanoseconds

struct Timespec {
  int64_t seconds, nanoseconds;
};

constexpr bool is_valid(const Timespec& time) {
  return time.seconds >= 0 && time.nanoseconds >= 0 &&
         time.nanoseconds < static_cast<int64_t>(kSecond);
}
/// The length of a valid time; one of more than 292 years is as long as that.
constexpr uint64_t nanoseconds(const Timespec& time) {
  constexpr uint64_t kMost = ~uint64_t{0} / 2;
  const auto seconds = static_cast<uint64_t>(time.seconds);
  if (seconds >= kMost / kSecond) return kMost;
  return seconds * kSecond + static_cast<uint64_t>(time.nanoseconds);
}
constexpr Timespec timespec_of(uint64_t nanoseconds) {
  return {static_cast<int64_t>(nanoseconds / kSecond), static_cast<int64_t>(nanoseconds % kSecond)};
}

struct Timeval {
  int64_t seconds, microseconds;
};

struct IoVector {
  uint64_t base, size;
};

struct Stat {
  uint64_t dev, ino;
  uint32_t mode, nlink, uid, gid;
  uint64_t rdev, pad1;
  int64_t size;
  int32_t blksize, pad2;
  int64_t blocks;
  int64_t times[6];  // access, modification, change: seconds and nanoseconds
  uint32_t unused[2];
};
static_assert(sizeof(Stat) == 128);

struct Statx {
  uint32_t mask, blksize;
  uint64_t attributes;
  uint32_t nlink, uid, gid;
  uint16_t mode, pad1;
  uint64_t ino, size, blocks, attributes_mask;
  uint64_t times[8];  // access, birth, change, modification: seconds; nanoseconds and padding
  uint32_t rdev_major, rdev_minor, dev_major, dev_minor;
  uint64_t rest[14];
};
static_assert(sizeof(Statx) == 256);
constexpr uint32_t kStatxBasic = 0x7ff;

struct Utsname {
  char fields[6][65];  // system, node, release, version, machine, domain
};

struct Sysinfo {
  int64_t uptime;
  uint64_t loads[3], total, free, shared, buffers, swap_total, swap_free;
  uint16_t processes, pad;
  uint32_t pad2;
  uint64_t high_total, high_free;
  uint32_t unit, pad3;
};
static_assert(sizeof(Sysinfo) == 112);

struct Rusage {
  Timeval user, system;
  int64_t counts[14];
};
static_assert(sizeof(Rusage) == 144);

struct Limit {
  uint64_t soft, hard;
};
constexpr unsigned kLimits = 16;
constexpr uint64_t kNoLimit = ~uint64_t{0};

struct SignalAction {
  uint64_t handler, flags, mask;  // 0: default, 1: ignore
};
constexpr unsigned kSignals = 64;

struct SignalStack {
  uint64_t base;
  int32_t flags, pad;
  uint64_t size;
};
constexpr int kOnSignalStack = 1, kSignalStackDisabled = 2;

// Flags of an action.
constexpr uint64_t kUseSignalStack = 0x08000000, kDoNotBlock = 0x40000000,
                   kResetHandler = 0x80000000;

constexpr uint64_t kRestartCall = 0x10000000;

// Where a signal comes from.
constexpr int32_t kFromKill = 0, kFromQueue = -1, kFromTimer = -2, kFromTgkill = -6,
                  kFromKernel = 0x80;

// What a call returns inside the kernel when a signal has interrupted it: it is made again if the
// handler has SA_RESTART, or only if there is no handler; else the program sees EINTR.
constexpr int64_t kRestart = 512, kRestartWithoutHandler = 514;

struct SignalInfo {
  int32_t signal, error, code, pad;
  int32_t process, user;
  uint64_t value;
  uint8_t rest[96];

  /// The address of a fault is where other signals have their sender.
  void set_address(uint64_t address) {
    process = static_cast<int32_t>(address);
    user = static_cast<int32_t>(address >> 32);
  }
};
static_assert(sizeof(SignalInfo) == 128);

/// What the kernel puts on the stack for a handler: ucontext_t is everything after `info`.
struct SignalFrame {
  SignalInfo info;
  uint64_t flags, link;
  SignalStack stack;
  uint64_t mask;
  uint8_t more_masks[120];
  uint64_t pad;
  uint64_t pc, x[31];  // x1 to x31
  uint64_t f[32];
  uint32_t fcsr;
  uint8_t quad[268];  // room for the registers of the Q extension
};
static_assert(sizeof(SignalFrame) == 1088);

}  // namespace strobe::isa::abi
