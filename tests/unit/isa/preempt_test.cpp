// The environment takes the hart at the instruction that it asked for, in every way of execution.
#include <gtest/gtest.h>

#include <functional>

#include "sc_models/isa/hart/hart_run.h"
#include "sc_models/port/region_marker.h"
#include "tests/unit/isa/machine.h"

namespace strobe::isa {
namespace {

constexpr uint32_t kNop = 0x13;
constexpr uint64_t kThere = kCode + 0x400;

/// Notes where it was called, and sends the hart elsewhere if it is told to.
class Preempting : public TestEnvironment {
 public:
  EcallResult preempt(Hart& hart) override {
    at.push_back(hart.state().pc);
    counts.push_back(hart.user_instructions());
    if (act) act(hart);
    return result;
  }
  EcallResult exception(Hart& hart, Cause cause, uint64_t tval) override {
    trapped = {cause, tval};
    if (result == EcallResult::kResume && act) act(hart);
    return act ? result : EcallResult::kTrap;
  }

  std::function<void(Hart&)> act;
  EcallResult result = EcallResult::kResume;
  std::vector<uint64_t> at, counts;
  std::pair<Cause, uint64_t> trapped{};
};

struct Nothing {
  void record(const RetireRecord&) {}
};

/// Runs `instructions` in one of three ways.
using Way = StopReason (*)(Hart&, uint64_t);
StopReason fast(Hart& hart, uint64_t instructions) { return hart.run(instructions); }
StopReason observed(Hart& hart, uint64_t instructions) {
  Nothing nothing;
  return hart.run_observed(instructions, nothing);
}
StopReason in_runs(Hart& hart, uint64_t instructions) {
  RetireRecord records[8];
  const DecodedInsn* insns[8];
  const uint64_t end = hart.instructions() + instructions;
  while (hart.instructions() < end) {
    const auto most = static_cast<unsigned>(std::min<uint64_t>(8, end - hart.instructions()));
    if (hart.step_run(records, insns, most) != 0) continue;
    if (hart.step(records[0], true) == StepStatus::kStopped) return hart.stop_reason();
  }
  return StopReason::kBudget;
}

class Preemption : public testing::TestWithParam<Way> {
 protected:
  Preemption() : hart_(memory_, environment_) {
    memory_.protect(kCode, 0x2000, 5, 7);
    memory_.protect(kHandler, 0x1000, 0, 5);
    memory_.protect(kData, 0x2000, 3, 3);
    for (uint64_t at = kCode; at < kCode + 0x800; at += 4) place(at, kNop);
    hart_.state().pc = kCode;
    hart_.state().mode = PrivilegeMode::kUser;
    hart_.state().mtvec = kHandler;
    place(kHandler, encode(Op::kEcall));
  }
  void place(uint64_t at, uint32_t insn) { memory_.write(at, &insn, sizeof insn); }
  StopReason run(uint64_t instructions) { return GetParam()(hart_, instructions); }

  GuestMemory memory_;
  Preempting environment_;
  Hart hart_;
};

TEST_P(Preemption, ComesBeforeTheInstructionThatWasAskedFor) {
  for (const uint64_t wanted : {1u, 2u, 7u, 30u}) hart_.preempt_at(wanted);
  EXPECT_EQ(run(100), StopReason::kBudget);
  EXPECT_EQ(environment_.at, std::vector<uint64_t>{kCode + 4 * 30});
  EXPECT_EQ(environment_.counts, std::vector<uint64_t>{30});
  EXPECT_EQ(hart_.user_instructions(), 100u);
  EXPECT_EQ(hart_.state().pc, kCode + 400);
}

TEST_P(Preemption, MayGoOnElsewhereAndAskAgain) {
  environment_.act = [](Hart& hart) {
    hart.state().pc = hart.state().pc < kThere ? kThere : kCode;
    hart.state().thread ^= 1;
    hart.preempt_at(hart.user_instructions() + 3);
  };
  hart_.preempt_at(5);
  EXPECT_EQ(run(12), StopReason::kBudget);
  EXPECT_EQ(environment_.at, (std::vector<uint64_t>{kCode + 20, kThere + 12, kCode + 12}));
  EXPECT_EQ(hart_.state().pc, kThere + 4);
  EXPECT_EQ(hart_.state().thread, 1u);
}

TEST_P(Preemption, MayEndTheRun) {
  environment_.result = EcallResult::kStop;
  hart_.preempt_at(9);
  EXPECT_EQ(run(100), StopReason::kEcallStop);
  EXPECT_EQ(hart_.user_instructions(), 9u);
}

TEST_P(Preemption, DoesNotComeBetweenAMarkerAndWhatItMarks) {
  place(kCode + 4 * 7, 0x00303013);  // sltiu x0, x0, 3
  hart_.preempt_at(8);
  run(50);
  EXPECT_EQ(environment_.at, std::vector<uint64_t>{kCode + 4 * 9});
  environment_.at.clear();
  hart_.preempt_at(50);
  run(10);
  EXPECT_EQ(environment_.at, std::vector<uint64_t>{kCode + 4 * 50});
}

TEST_P(Preemption, WaitsForTheEndOfMachineMode) {
  place(kCode + 4 * 5, encode(Op::kEbreak));
  place(kHandler, csr_insn(Op::kCsrrw, 0, 0x341, 5));  // mepc: after the EBREAK
  place(kHandler + 4, encode(Op::kMret));
  hart_.state().x[5] = kCode + 4 * 6;
  hart_.preempt_at(5);
  run(5);
  place(kCode + 4 * 5, encode(Op::kEbreak));
  EXPECT_TRUE(hart_.preemption_due());
  hart_.preempt_at(6);
  run(20);
  EXPECT_EQ(environment_.at, std::vector<uint64_t>{kCode + 4 * 7});
}

TEST_P(Preemption, AnExceptionMayEnterAHandlerOfTheProgram) {
  place(kCode + 4 * 3, encode(Op::kLd, Fields{6, 0, 0, 0, 0x10, 0}));
  environment_.act = [](Hart& hart) { hart.state().pc = kThere; };
  EXPECT_EQ(run(10), StopReason::kBudget);
  EXPECT_EQ(environment_.trapped, std::pair(Cause::kLoadFault, uint64_t{0x10}));
  EXPECT_EQ(hart_.state().mode, PrivilegeMode::kUser);
  EXPECT_GT(hart_.state().pc, kThere);
}

INSTANTIATE_TEST_SUITE_P(Ways, Preemption, testing::Values(&fast, &observed, &in_runs),
                         [](const auto& info) {
                           return info.param == &fast       ? "fast"
                                  : info.param == &observed ? "observed"
                                                            : "in_runs";
                         });

}  // namespace
}  // namespace strobe::isa
