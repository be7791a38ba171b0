// System calls that a hart makes: with the registers of their thread, and what happens before its
// next instruction.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/linux/call_fixture.h"

namespace strobe::isa {

class CallerTest : public CallTest {
 protected:
  static constexpr uint64_t kHandler = 0x10000, kEcall = 0x10478, kReturnPage = 0x7f700000;

  CallerTest() { begin(); }

  /// A new process whose first thread is about to make a system call.
  void begin() {
    restart();
    memory_->protect(kHandler, 4096, GuestMemory::kRead | GuestMemory::kExecute,
                     GuestMemory::kRead);
    state_ = HartState();
    state_.mode = PrivilegeMode::kUser;
    state_.pc = kEcall;
    state_.x[abi::kSp] = kScratch;
    state_.x[18] = 1234;
    state_.f[9] = 0x400921fb54442d18;
    state_.fcsr = 0x41;
  }

  static constexpr uint64_t bit(unsigned signal) { return uint64_t{1} << (signal - 1); }

  void handle(uint64_t signal, uint64_t handler, uint64_t flags = 0, uint64_t mask = 0) {
    EXPECT_TRUE(user_->put(kBuffer, abi::SignalAction{handler, flags, mask}));
    EXPECT_EQ(call("rt_sigaction", {signal, kBuffer, 0, 8}), 0);
  }

  /// A system call of the program, with the way back from it, after `instructions_` instructions.
  void make(const char* name, std::vector<uint64_t> args = {}) {
    calls_->set_caller(&state_, instructions_);
    const int64_t result = call(name, std::move(args));
    if (calls_->stopped()) return;
    calls_->finish(state_, static_cast<uint64_t>(result));
    state_.pc += abi::kEcallBytes;
    ++instructions_;
    if (calls_->attends()) calls_->attend(state_, instructions_);
  }
  int64_t result() const { return static_cast<int64_t>(state_.x[abi::kA0]); }
  uint64_t blocked() {
    EXPECT_EQ(call("rt_sigprocmask", {0, 0, kBuffer + 256, 8}), 0);
    return value<uint64_t>(kBuffer + 256);
  }
  std::string error() const { return calls_->exit().error; }

  HartState state_;
  uint64_t instructions_ = 0;
};

}  // namespace strobe::isa
