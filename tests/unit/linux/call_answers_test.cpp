// Does the table of system calls say what each of them does?
#include <set>

#include "tests/unit/linux/call_fixture.h"

namespace strobe::isa {
namespace {

using Kind = CallAnswer::Kind;

class CallAnswerTest : public CallTest {
 protected:
  /// The result of each call of a kind, with a readable path or a descriptor in every argument.
  void expect_of_each(Kind kind, int64_t result) {
    unsigned calls = 0;
    for (const CallAnswer& one : SystemCalls::answers()) {
      if (one.kind != kind) continue;
      const uint64_t argument = kind == Kind::kNotPermitted ? text(in("hello.txt")) : 0;
      restart();
      text(in("hello.txt"));
      EXPECT_EQ(call(one.number, std::vector<uint64_t>(6, argument)), result) << one.name;
      EXPECT_EQ(calls_->exit().failed, kind == Kind::kStopsTheRun) << one.name;
      ++calls;
    }
    EXPECT_GT(calls, 1u);
  }
};

TEST_F(CallAnswerTest, EveryCallHasANumberANameAndOneAnswer) {
  std::set<std::string> names;
  uint64_t last = 0;
  for (const CallAnswer& one : SystemCalls::answers()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_TRUE(one.number > last || one.number == 0) << one.name;
    EXPECT_EQ(SystemCalls::name(one.number), one.name);
    EXPECT_EQ(one.kind == Kind::kPartial, !one.how.empty()) << one.name;
    last = one.number;
  }
  EXPECT_GT(names.size(), 300u);
}

TEST_F(CallAnswerTest, CallsThatDoNotExistAreNotPermittedOrHaveNoEffectAnswerSo) {
  expect_of_each(Kind::kNoSuchCall, -ENOSYS);
  expect_of_each(Kind::kUnsupported, -ENOSYS);
  expect_of_each(Kind::kNotPermitted, -EPERM);
  expect_of_each(Kind::kNoEffect, 0);
}

TEST_F(CallAnswerTest, CallsThatStopTheRunDo) { expect_of_each(Kind::kStopsTheRun, 0); }

TEST_F(CallAnswerTest, CallsThatWorkExist) {
  for (const CallAnswer& one : SystemCalls::answers()) {
    if (one.kind > Kind::kPartial) continue;
    restart();
    EXPECT_NE(call(one.number, {}), -ENOSYS) << one.name;
    EXPECT_EQ(calls_->unsupported().count, 0u) << one.name;
  }
}

}  // namespace
}  // namespace strobe::isa
