// CSR numbers and mstatus fields (RISC-V Privileged Architecture 1.12), and the hart's counters.
#pragma once

#include <cstdint>

namespace strobe::isa {

enum Csr : uint32_t {
  kCsrFflags = 0x001,
  kCsrFrm = 0x002,
  kCsrFcsr = 0x003,
  kCsrCycle = 0xc00,
  kCsrTime = 0xc01,
  kCsrInstret = 0xc02,
  kCsrMvendorid = 0xf11,
  kCsrMarchid = 0xf12,
  kCsrMimpid = 0xf13,
  kCsrMhartid = 0xf14,
  kCsrMconfigptr = 0xf15,
  kCsrMstatus = 0x300,
  kCsrMisa = 0x301,
  kCsrMie = 0x304,
  kCsrMtvec = 0x305,
  kCsrMcounteren = 0x306,
  kCsrMcountinhibit = 0x320,
  kCsrMscratch = 0x340,
  kCsrMepc = 0x341,
  kCsrMcause = 0x342,
  kCsrMtval = 0x343,
  kCsrMip = 0x344,
  kCsrDise0 = 0x7c0,  // the dise registers, docs/blocks/dise.md
  kCsrDise7 = 0x7c7,
  kCsrMdisepc = 0x7c8,
  kCsrMcycle = 0xb00,
  kCsrMinstret = 0xb02,
  // Those that this hart does not have read as zero (Privileged spec 3.1.10).
  kCsrMhpmcounter3 = 0xb03,
  kCsrMhpmcounter31 = 0xb1f,
  kCsrMhpmevent3 = 0x323,
  kCsrMhpmevent31 = 0x33f,
  kCsrHpmcounter3 = 0xc03,
  kCsrHpmcounter31 = 0xc1f,
  kCsrScountovf = 0xda0,
};

inline constexpr uint64_t kMstatusMie = uint64_t{1} << 3;
inline constexpr uint64_t kMstatusMpie = uint64_t{1} << 7;
inline constexpr unsigned kMstatusMppShift = 11;
inline constexpr uint64_t kMstatusMpp = uint64_t{3} << kMstatusMppShift;
inline constexpr uint64_t kMstatusFs = uint64_t{3} << 13;  // all ones: dirty
inline constexpr uint64_t kMstatusMprv = uint64_t{1} << 17;
inline constexpr uint64_t kMstatusTw = uint64_t{1} << 21;
inline constexpr uint64_t kMstatusUxl64 = uint64_t{2} << 32;
inline constexpr uint64_t kMstatusSd = uint64_t{1} << 63;
inline constexpr uint64_t kMstatusWritable =
    kMstatusMie | kMstatusMpie | kMstatusMpp | kMstatusFs | kMstatusMprv | kMstatusTw;

/// RV64 with A, C, D, F, I, M and U.
inline constexpr uint64_t kMisa =
    uint64_t{2} << 62 | 1u << 0 | 1u << 2 | 1u << 3 | 1u << 5 | 1u << 8 | 1u << 12 | 1u << 20;

/// The pending bit of the local counter overflow interrupt, which software may write.
inline constexpr uint64_t kCounterOverflowPending = uint64_t{1} << 13;
inline constexpr uint64_t kInterruptLines =
    1u << 3 | 1u << 7 | 1u << 11 | kCounterOverflowPending | 1u << 16;

/// The programmable counters: mhpmcounter3 to mhpmcounter10.
inline constexpr unsigned kFirstHpmCounter = 3, kHpmCounterCount = 8;
inline constexpr uint64_t kHpmCounters = ((uint64_t{1} << kHpmCounterCount) - 1)
                                         << kFirstHpmCounter;

/// Fields of mhpmevent (Sscofpmf): OF, MINH, UINH and the number of the event.
inline constexpr uint64_t kHpmEventOverflow = uint64_t{1} << 63;
inline constexpr uint64_t kHpmEventMinh = uint64_t{1} << 62;
inline constexpr uint64_t kHpmEventUinh = uint64_t{1} << 60;
inline constexpr uint64_t kHpmEventField = 0xffff;
inline constexpr uint64_t kHpmEventWritable =
    kHpmEventOverflow | kHpmEventMinh | kHpmEventUinh | kHpmEventField;

/// What an instruction reads of the counters.
enum class CounterRead : uint8_t {
  kNone,
  kClock,    // cycle or time
  kCounter,  // retired instructions, or a programmable counter
};

/// The same of a 32-bit encoding; CSRRW to x0 reads nothing.
constexpr CounterRead counter_read(uint32_t insn) {
  const uint32_t number = insn >> 20, function = insn >> 12 & 7, rd = insn >> 7 & 31;
  const bool reads =
      (insn & 0x7f) == 0x73 && (function & 3) != 0 && ((function & 3) != 1 || rd != 0);
  if (!reads) return CounterRead::kNone;
  if (number == kCsrMcycle || number == kCsrCycle || number == kCsrTime) return CounterRead::kClock;
  const bool counter = (number >= kCsrMinstret && number <= kCsrMhpmcounter31) ||
                       (number >= kCsrInstret && number <= kCsrHpmcounter31);
  return counter ? CounterRead::kCounter : CounterRead::kNone;
}

/// A counter that software can write and inhibit, derived from a counter that always runs.
class CounterView {
 public:
  uint64_t read(uint64_t running) const { return inhibited_ ? frozen_ : running + offset_; }
  void write(uint64_t running, uint64_t value) {
    frozen_ = value;
    offset_ = value - running;
  }
  void inhibit(uint64_t running, bool inhibited) {
    if (inhibited == inhibited_) return;
    if (inhibited) {
      frozen_ = running + offset_;
    } else {
      offset_ = frozen_ - running;
    }
    inhibited_ = inhibited;
  }

 private:
  uint64_t offset_ = 0, frozen_ = 0;
  bool inhibited_ = false;
};

}  // namespace strobe::isa
