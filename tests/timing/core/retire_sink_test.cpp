// Is a retire sink called for what it requests, with everything that retires in the same cycle, and
// for nothing else?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

using testing::ElementsAreArray;

struct Call {
  uint64_t cycle;
  std::vector<uint64_t> lanes, picked;  // `order` of the records
  bool operator==(const Call& other) const {
    return cycle == other.cycle && lanes == other.lanes && picked == other.picked;
  }
};

class Sink : public RetireSink {
 public:
  explicit Sink(RetireInterest interest) : interest_(interest) {}
  RetireInterest interest() const override { return interest_; }
  RetireInterest retire(uint64_t cycle, const RetireRecord* lanes, unsigned count,
                        const RetireRecord* const* picked, unsigned picks) override {
    Call call{cycle, {}, {}};
    for (unsigned k = 0; k < count; ++k) call.lanes.push_back(lanes[k].order);
    for (unsigned k = 0; k < picks; ++k) {
      EXPECT_TRUE(lanes <= picked[k] && picked[k] < lanes + count) << "cycle " << cycle;
      call.picked.push_back(picked[k]->order);
    }
    calls.push_back(std::move(call));
    return interest();
  }
  std::vector<Call> calls;

 private:
  RetireInterest interest_;
};

constexpr uint16_t bit(OpClass opclass) {
  return static_cast<uint16_t>(1u << static_cast<unsigned>(opclass));
}

// A loop of loads, stores and adds: as long as it takes for a group that retires together to lie
// across the end of the core's rings, many times.
core::CoreStop run(Machine& machine) {
  machine.hart.state().x[2] = Machine::kData;
  machine.hart.state().x[7] = 500;
  return machine.run({ld(5, 2, 0), addi(6, 6, 1), sd(6, 2, 8), ld(9, 2, 16), addi(7, 7, -1),
                      beq(7, 0, 8), jal(0, -24)});
}

TEST(RetireSink, IsCalledInTheCyclesOfTheInstructionsItNames) {
  Machine all(plain_core());
  run(all);
  for (const RetireKinds kinds :
       {RetireKinds(bit(OpClass::kLoad), 0), RetireKinds(bit(OpClass::kStore), 0xffff),
        RetireKinds(bit(OpClass::kLoad) | bit(OpClass::kBranch), 0), RetireKinds(0xffff, 0)}) {
    std::vector<Call> expected;
    for (size_t i = 0; i < all.commits.size();) {
      Call call{all.commits[i].cycle, {}, {}};
      for (; i < all.commits.size() && all.commits[i].cycle == call.cycle; ++i) {
        const RetireRecord& record = all.commits[i].record;
        call.lanes.push_back(record.order);
        if (kinds.has(record)) call.picked.push_back(record.order);
      }
      if (!call.picked.empty()) expected.push_back(call);
    }
    Machine machine(plain_core());
    Sink sink({kinds});
    machine.pipeline.set_retire_sink(&sink);
    run(machine);
    EXPECT_THAT(sink.calls, ElementsAreArray(expected));
    EXPECT_GT(expected.size(), 400u);
    EXPECT_EQ(machine.pipeline.cycle(), all.pipeline.cycle());
  }
}

TEST(RetireSink, ThatIsBusyIsCalledInEveryCycle) {
  Machine machine(plain_core());
  Sink sink({RetireKinds(bit(OpClass::kLoad), 0), false, true});
  machine.pipeline.set_retire_sink(&sink);
  run(machine);
  ASSERT_GT(sink.calls.size(), 1000u);
  for (size_t i = 1; i < sink.calls.size(); ++i) {
    ASSERT_EQ(sink.calls[i].cycle, sink.calls[i - 1].cycle + 1);
  }
}

TEST(RetireSink, ThatWantsNothingIsNeverCalled) {
  Machine machine(plain_core());
  Sink sink({});
  machine.pipeline.set_retire_sink(&sink);
  EXPECT_EQ(run(machine), core::CoreStop::kHart);
  EXPECT_TRUE(sink.calls.empty());
}

}  // namespace
}  // namespace strobe::test
