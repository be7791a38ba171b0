#include "sc_models/isa/linux/signal_frame.h"

#include <algorithm>
#include <iterator>

namespace strobe::isa {
bool on_signal_stack(const abi::SignalStack& stack, uint64_t sp) {
  return (stack.flags & abi::kSignalStackDisabled) == 0 && sp > stack.base &&
         sp - stack.base <= stack.size;
}

std::optional<uint64_t> signal_frame_address(const SignalEntry& entry, uint64_t sp) {
  const bool on_it = on_signal_stack(entry.stack, sp);
  if (on_it && !on_signal_stack(entry.stack, sp - sizeof(abi::SignalFrame))) return std::nullopt;
  const bool changes = (entry.action.flags & abi::kUseSignalStack) != 0 &&
                       (entry.stack.flags & abi::kSignalStackDisabled) == 0 && !on_it;
  const uint64_t top = changes ? entry.stack.base + entry.stack.size : sp;
  return (top - sizeof(abi::SignalFrame)) & ~uint64_t{15};
}

bool enter_signal_handler(UserMemory& memory, const SignalEntry& entry, uint64_t at,
                          HartState& state) {
  abi::SignalFrame frame{};
  frame.info = entry.info;
  frame.stack = entry.stack;
  if (on_signal_stack(entry.stack, state.x[abi::kSp])) frame.stack.flags |= abi::kOnSignalStack;
  frame.mask = entry.mask;
  frame.pc = entry.next_pc;
  std::copy_n(state.x + 1, std::size(frame.x), frame.x);
  std::copy_n(state.f, std::size(frame.f), frame.f);
  frame.fcsr = state.fcsr;
  if (!memory.put(at, frame)) return false;
  state.x[abi::kRa] = entry.return_address;
  state.x[abi::kSp] = at;
  state.x[abi::kA0] = static_cast<uint64_t>(entry.info.signal);
  state.x[abi::kA1] = at;
  state.x[abi::kA2] = at + offsetof(abi::SignalFrame, flags);
  state.reservation = kNoReservation;
  return true;
}

bool leave_signal_handler(const UserMemory& memory, HartState& state, uint64_t* mask,
                          abi::SignalStack* stack) {
  abi::SignalFrame frame;
  if (!memory.get(frame, state.x[abi::kSp])) return false;
  std::copy_n(frame.x, std::size(frame.x), state.x + 1);
  std::copy_n(frame.f, std::size(frame.f), state.f);
  state.fcsr = frame.fcsr & 0xff;
  state.pc = frame.pc & ~uint64_t{1};
  state.reservation = kNoReservation;
  *mask = frame.mask;
  *stack = frame.stack;
  stack->flags &= ~abi::kOnSignalStack;
  return true;
}

}  // namespace strobe::isa
