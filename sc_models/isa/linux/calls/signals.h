// Numbers and sets of signals, for the files that handle them.
#pragma once

#include <cstdint>

#include "sc_models/isa/linux/abi.h"

namespace strobe::isa {

constexpr uint64_t kSigIll = 4, kSigTrap = 5, kSigBus = 7, kSigKill = 9, kSigSegv = 11,
                   kSigPipe = 13, kSigAlarm = 14, kSigChild = 17, kSigCont = 18, kSigStop = 19,
                   kSigTtou = 22, kSigUrg = 23, kSigVirtualAlarm = 26, kSigProf = 27,
                   kSigWinch = 28, kFirstRealTime = 32;
constexpr uint64_t kDefaultAction = 0, kIgnore = 1;
constexpr uint64_t kSignalSetSize = 8;

constexpr uint64_t signal_bit(uint64_t signal) { return uint64_t{1} << (signal - 1); }
constexpr uint64_t kNeverBlocked = signal_bit(kSigKill) | signal_bit(kSigStop);

constexpr bool is_ignored_by_default(uint64_t signal) {
  return signal == kSigChild || signal == kSigCont || signal == kSigUrg || signal == kSigWinch;
}

/// What a signal that the program sends itself tells its handler.
inline abi::SignalInfo info_of(uint64_t signal, int32_t code) {
  abi::SignalInfo info{};
  info.signal = static_cast<int32_t>(signal);
  info.code = code;
  info.process = static_cast<int32_t>(abi::kProcessId);
  info.user = static_cast<int32_t>(abi::kUserId);
  return info;
}

}  // namespace strobe::isa
