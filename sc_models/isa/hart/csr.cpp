#include "sc_models/isa/decode/csr.h"

#include "sc_models/isa/hart/hart_impl.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kFrmShift = 5;
constexpr uint64_t kFlagsMask = 0x1f;
constexpr uint64_t kCountersMask = 5 | kHpmCounters;  // in mcountinhibit: time always counts
constexpr uint64_t kCounterEnableMask = 7 | kHpmCounters;

bool is_dise_register(uint32_t number) { return number >= kCsrDise0 && number <= kCsrDise7; }

bool is_within(uint32_t number, uint32_t first, uint32_t last) {
  return number >= first && number <= last;
}
bool is_hpm_register(uint32_t number) {
  return is_within(number, kCsrMhpmcounter3, kCsrMhpmcounter31) ||
         is_within(number, kCsrMhpmevent3, kCsrMhpmevent31) ||
         is_within(number, kCsrHpmcounter3, kCsrHpmcounter31);
}
bool is_hpm_event_register(uint32_t number) {
  return is_within(number, kCsrMhpmevent3, kCsrMhpmevent31);
}
/// The number of the counter that a register of the programmable counters belongs to.
unsigned hpm_number(uint32_t number) { return number & 31; }
bool is_present(unsigned counter) { return (kHpmCounters >> counter & 1) != 0; }

}  // namespace

bool Hart::Impl::csr_accessible(uint32_t number, bool write) const {
  const uint32_t lowest_mode = number >> 8 & 3;
  if (static_cast<uint32_t>(state.mode) < lowest_mode) return false;
  if (write && (number >> 10) == 3) return false;
  if (number >= kCsrFflags && number <= kCsrFcsr) return (state.mstatus & kMstatusFs) != 0;
  if (number >= kCsrCycle && number <= kCsrHpmcounter31) {
    return state.mode == PrivilegeMode::kMachine ||
           (state.mcounteren >> (number - kCsrCycle) & 1) != 0;
  }
  return true;
}

bool Hart::Impl::csr_read(uint32_t number, uint64_t& value) {
  if (hpm.armed()) hpm.poll();
  switch (number) {
    case kCsrFflags:
      value = state.fcsr & kFlagsMask;
      return true;
    case kCsrFrm:
      value = state.fcsr >> kFrmShift & 7;
      return true;
    case kCsrFcsr:
      value = state.fcsr & 0xff;
      return true;
    case kCsrCycle:
    case kCsrMcycle:
      value = cycle_view.read(environment.cycle());
      return true;
    case kCsrTime:
      value = environment.time();
      return true;
    case kCsrInstret:
    case kCsrMinstret:
      value = instret_view.read(instructions());
      return true;
    case kCsrMvendorid:
    case kCsrMarchid:
    case kCsrMimpid:
    case kCsrMconfigptr:
      value = 0;
      return true;
    case kCsrMhartid:
      value = hart_id;
      return true;
    case kCsrMisa:
      value = kMisa;
      return true;
    case kCsrMstatus:
      value = state.mstatus | kMstatusUxl64 |
              ((state.mstatus & kMstatusFs) == kMstatusFs ? kMstatusSd : 0);
      return true;
    case kCsrMie:
      value = state.mie;
      return true;
    case kCsrMip:
      value = state.mip;
      return true;
    case kCsrMtvec:
      value = state.mtvec;
      return true;
    case kCsrMcounteren:
      value = state.mcounteren;
      return true;
    case kCsrMcountinhibit:
      value = state.mcountinhibit;
      return true;
    case kCsrMscratch:
      value = state.mscratch;
      return true;
    case kCsrMepc:
      value = state.mepc;
      return true;
    case kCsrMcause:
      value = state.mcause;
      return true;
    case kCsrMtval:
      value = state.mtval;
      return true;
    case kCsrMdisepc:
      value = state.dise.mdisepc;
      return true;
    case kCsrScountovf:
      value = hpm.overflows();
      return true;
    default:
      value = is_dise_register(number) ? state.x[32 + number - kCsrDise0] : 0;
      return is_dise_register(number) || hpm_read(number, value);
  }
}

bool Hart::Impl::hpm_read(uint32_t number, uint64_t& value) {
  if (!is_hpm_register(number)) return false;
  const unsigned counter = hpm_number(number);
  if (!is_present(counter)) return true;  // zero
  value = is_hpm_event_register(number) ? hpm.event(counter) : hpm.counter(counter);
  return true;
}

bool Hart::Impl::hpm_write(uint32_t number, uint64_t value) {
  if (!is_hpm_register(number)) return false;
  const unsigned counter = hpm_number(number);
  if (!is_present(counter)) return true;
  if (is_hpm_event_register(number)) {
    hpm.write_event(counter, value);
  } else {
    hpm.write_counter(counter, value);
  }
  return true;
}

bool Hart::Impl::csr_write(uint32_t number, uint64_t value) {
  switch (number) {
    case kCsrFflags:
      state.fcsr = static_cast<uint32_t>((state.fcsr & ~kFlagsMask) | (value & kFlagsMask));
      break;
    case kCsrFrm:
      state.fcsr = static_cast<uint32_t>((state.fcsr & kFlagsMask) | (value & 7) << kFrmShift);
      break;
    case kCsrFcsr:
      state.fcsr = static_cast<uint32_t>(value & 0xff);
      break;
    case kCsrMcycle:
      cycle_view.write(environment.cycle(), value);
      break;
    case kCsrMinstret:
      // The writing instruction itself is not counted, so that the next one reads the written
      // value.
      instret_view.write(instructions() + 1, value);
      break;
    case kCsrMisa:  // nothing can be switched off
      break;
    case kCsrMip:  // every other pending bit is the level of an input
      state.mip = (state.mip & ~kCounterOverflowPending) | (value & kCounterOverflowPending);
      break;
    case kCsrMstatus: {
      uint64_t wanted = value & kMstatusWritable;
      // MPP holds only M or U; writing another value leaves it unchanged.
      const uint64_t mpp = (wanted & kMstatusMpp) >> kMstatusMppShift;
      if (mpp == 1 || mpp == 2) wanted = (wanted & ~kMstatusMpp) | (state.mstatus & kMstatusMpp);
      state.mstatus = wanted;
      break;
    }
    case kCsrMie:
      state.mie = value & kInterruptLines;
      break;
    case kCsrMtvec:
      state.mtvec = value & ~uint64_t{2};  // direct (0) or vectored (1)
      break;
    case kCsrMcounteren:
      state.mcounteren = value & kCounterEnableMask;
      break;
    case kCsrMcountinhibit:
      state.mcountinhibit = value & kCountersMask;
      cycle_view.inhibit(environment.cycle(), (value & 1) != 0);
      instret_view.inhibit(instructions() + 1, (value & 4) != 0);
      hpm.note_inhibit(1);
      break;
    case kCsrMscratch:
      state.mscratch = value;
      break;
    case kCsrMepc:
      state.mepc = value & ~uint64_t{1};
      break;
    case kCsrMcause:
      state.mcause = value;
      break;
    case kCsrMtval:
      state.mtval = value;
      break;
    case kCsrMdisepc:
      state.dise.mdisepc = (value >> 63) == 0 ? 0 : value & kDisePosition;
      break;
    default:
      if (!is_dise_register(number)) return hpm_write(number, value);
      state.x[32 + number - kCsrDise0] = value;
  }
  if (number >= kCsrFflags && number <= kCsrFcsr) state.mstatus |= kMstatusFs;
  return true;
}

}  // namespace strobe::isa
