#include "sc_models/profiling/device/profiler_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <systemc>
#include <vector>

#include "sc_models/profiling/device/lockstep_path.h"
#include "tests/sysc/profiling/device_bench.h"

namespace strobe::profiling {
namespace {

TEST(ProfilerDevice, OnlyNaturallyAlignedEightByteAccessesAreServed) {
  Bench bench;
  uint64_t data = 0;
  for (const auto command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
    EXPECT_EQ(bench.transport(command, kRegPeriod, data, 4), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(bench.transport(command, kRegPeriod, data, 1), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(bench.transport(command, kRegPeriod + 4, data, 8), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(bench.transport(command, kRegPeriod + 1, data, 8), tlm::TLM_BURST_ERROR_RESPONSE);
  }
  EXPECT_EQ(bench.read(kRegPeriod), 256u);
}

TEST(ProfilerDevice, AnAddressWithoutARegisterIsAnAddressError) {
  Bench bench;
  uint64_t data = 0;
  for (const uint64_t address : {0xd0u, 0x118u, 0x200u, 0xff8u, 0x1000u, 0x10018u}) {
    EXPECT_EQ(bench.transport(tlm::TLM_READ_COMMAND, address, data),
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.transport(tlm::TLM_WRITE_COMMAND, address, data),
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
}

TEST(ProfilerDevice, ByteEnablesAndTheIgnoreCommandAreRefused) {
  Bench bench;
  uint64_t data = 0;
  EXPECT_EQ(bench.transport(tlm::TLM_IGNORE_COMMAND, kRegId, data),
            tlm::TLM_COMMAND_ERROR_RESPONSE);
  tlm::tlm_generic_payload payload;
  unsigned char enables[8] = {};
  payload.set_read();
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
  payload.set_data_length(8);
  payload.set_streaming_width(8);
  payload.set_byte_enable_ptr(enables);
  payload.set_byte_enable_length(8);
  bench.initiator.socket->b_transport(payload, bench.delay);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
}

TEST(ProfilerDevice, EachAccessAnnotatesTheConfiguredDelay) {
  Bench bench;
  bench.read(kRegId);
  bench.write(kRegPeriod, 3);
  EXPECT_EQ(bench.delay, sc_core::sc_time(4, sc_core::SC_NS));
}

TEST(ProfilerDevice, DebugReadsHaveNoSideEffectAndDebugWritesAreRefused) {
  Bench bench;
  bench.start(1);
  bench.cycle({load(7)});
  bench.cycles(20);
  uint64_t data = 0;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(bench.debug(tlm::TLM_READ_COMMAND, kRegMsgPc, data), 8u);
    EXPECT_EQ(data, 0x1000u);
    EXPECT_EQ(bench.debug(tlm::TLM_READ_COMMAND, kRegMsgMeta, data), 8u);
    EXPECT_EQ(data, 0u) << "a debug read shows no message to software";
  }
  bench.read(kRegMsgPc);
  bench.cycles(5);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(bench.debug(tlm::TLM_READ_COMMAND, kRegMsgMeta, data), 8u);
    EXPECT_EQ(data, kMetaValid | 1);
    EXPECT_FALSE(bench.device.busy());
    bench.cycles(5);
  }
  data = 5;
  EXPECT_EQ(bench.debug(tlm::TLM_WRITE_COMMAND, kRegPeriod, data), 0u);
  EXPECT_EQ(bench.debug(tlm::TLM_READ_COMMAND, 0xd0, data), 0u);
  EXPECT_EQ(bench.debug(tlm::TLM_READ_COMMAND, kRegId, data, 4), 0u);
  EXPECT_EQ(bench.read(kRegPeriod), 1u);
}

TEST(ProfilerDevice, AnAccessTakesEffectWithTheNextStep) {
  Bench bench;
  bench.cycles(40);
  EXPECT_FALSE(bench.device.busy());
  bench.write(kRegPeriod, 17);
  EXPECT_TRUE(bench.device.busy());
  uint64_t data = 0;
  bench.debug(tlm::TLM_READ_COMMAND, kRegPeriod, data);
  EXPECT_EQ(data, 256u);
  bench.cycle();
  bench.debug(tlm::TLM_READ_COMMAND, kRegPeriod, data);
  EXPECT_EQ(data, 17u);
}

TEST(ProfilerDevice, ASecondAccessBeforeAStepSeesTheFirstOneDone) {
  Bench bench;
  bench.start(1);
  bench.cycle({load(1), load(2), load(3)});
  bench.cycles(20);
  for (uint64_t value = 1; value <= 3; ++value) {
    EXPECT_EQ(bench.read(kRegMsgPc), 0x1000u);
    EXPECT_EQ(bench.read(kRegMsgValue), value);
    EXPECT_EQ(bench.read(kRegMsgMeta), kMetaValid | 1);
  }
  EXPECT_EQ(bench.read(kRegMsgPc), 0u);
  EXPECT_EQ(bench.read(kRegMsgMeta), 0u);
  bench.write(kRegPeriod, 9);
  EXPECT_EQ(bench.read(kRegPeriod), 9u);
}

TEST(ProfilerDevice, APathThatRanAheadWaitsForTheCoreAgain) {
  // STALLS counts cycles: with a full buffer it tells how many cycles the path has made.
  Bench bench;
  bench.start(1);
  for (int i = 0; i < 3; ++i) bench.cycle({load(1), load(2), load(3), load(4)});
  bench.cycles(50);
  EXPECT_TRUE(bench.device.busy());
  const uint64_t before = bench.device.stalls();
  for (int i = 0; i < 5; ++i) bench.read(kRegStalls);  // four steps ahead, one access pending
  EXPECT_EQ(bench.device.stalls(), before + 4);
  bench.now += 10;  // the core is elsewhere for ten cycles
  bench.cycle();
  EXPECT_EQ(bench.device.stalls(), before + 11);
}

TEST(ProfilerDevice, TheInterruptIsALevelAndToldOnlyWhenItChanges) {
  Bench bench;
  bench.start(1);
  bench.write(kRegWatermark, 2);
  bench.cycle();
  bench.write(kRegIntrEnable, 1);
  bench.cycle();
  EXPECT_TRUE(bench.line.changes.empty());
  bench.cycle({load(1)});
  bench.cycles(20);
  EXPECT_TRUE(bench.line.changes.empty());
  bench.cycle({load(2), load(3)});
  bench.cycles(20);
  EXPECT_EQ(bench.line.changes, (std::vector<bool>{true}));
  bench.read(kRegMsgPc);
  bench.read(kRegMsgMeta);
  bench.cycles(5);
  EXPECT_EQ(bench.line.changes, (std::vector<bool>{true}));  // two left: still at the watermark
  bench.read(kRegMsgPc);
  bench.read(kRegMsgMeta);
  bench.cycles(5);
  EXPECT_EQ(bench.line.changes, (std::vector<bool>{true, false}));
}

TEST(ProfilerDevice, TheDeviceIsBusyWhileItInitialisesAndWhileATupleIsInside) {
  Bench bench;
  EXPECT_TRUE(bench.device.busy());
  for (int i = 0; i < 16; ++i) {
    bench.cycle();
    EXPECT_TRUE(bench.device.busy());
  }
  bench.cycles(20);
  EXPECT_FALSE(bench.device.busy());
  bench.start(1);
  bench.cycles(10);
  EXPECT_FALSE(bench.device.busy());
  bench.cycle({load(1)});
  for (int i = 0; i < 9; ++i) {
    EXPECT_TRUE(bench.device.busy()) << i;
    bench.cycle();
  }
  EXPECT_EQ(bench.device.level(), 1u);
  EXPECT_EQ(bench.read(kRegMsgPc), 0x1000u) << "it is the head, too";
  EXPECT_EQ(bench.read(kRegMsgMeta), kMetaValid | 1);
}

TEST(ProfilerDevice, SkippedIdleCyclesAreTheSameAsSteppedOnes) {
  Bench bench;
  Line line;
  ProfilerDevice stepped("stepped", make_accelerated_path(small()), line, sc_core::SC_ZERO_TIME);
  Initiator driver("driver");
  driver.socket.bind(stepped.socket);
  const auto access = [](Initiator& initiator, tlm::tlm_command command, uint64_t address,
                         uint64_t data) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
    payload.set_data_length(8);
    payload.set_streaming_width(8);
    sc_core::sc_time delay;
    initiator.socket->b_transport(payload, delay);
    return data;
  };
  RandomSource random(test_seed());
  for (uint64_t cycle = 0; cycle < 200000; ++cycle) {
    if (random.one_in(40)) {
      static const uint16_t kAddresses[] = {
          kRegMsgPc, kRegMsgMeta, kRegTableData, kRegStalls,    kRegStatus,  kRegTableIndex,
          kRegCtrl,  kRegEvents,  kRegPeriod,    kRegWatermark, kRegSelCtrl, kRegIntrEnable};
      const uint16_t address = kAddresses[random.below(12)];
      const bool writes = random.one_in(2);
      uint64_t data = address == kRegSelCtrl  ? kSelectUserLoads
                      : address == kRegCtrl   ? (random.one_in(10) ? 3 : 1)
                      : address == kRegPeriod ? 1 + random.below(4)
                                              : random.below(16);
      const auto command = writes ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
      ASSERT_EQ(access(bench.initiator, command, address, data),
                access(driver, command, address, data))
          << "cycle " << cycle;
    }
    std::vector<RetireRecord> records;
    if (random.one_in(30)) {
      for (uint64_t i = random.below(5); i != 0; --i) records.push_back(load(random.below(5)));
    }
    retire(stepped, cycle, records);
    if (!records.empty() || bench.device.busy()) retire(bench.device, cycle, records);
    ASSERT_EQ(line.changes, bench.line.changes) << "cycle " << cycle;
    if (line.changes.size() > 100) {
      line.changes.clear();
      bench.line.changes.clear();
    }
  }
  EXPECT_GT(stepped.events(), 0u);
  EXPECT_EQ(stepped.events(), bench.device.events());
}

TEST(ProfilerDevice, MoreLanesThanThePathHasAreRefused) {
  Bench bench(make_accelerated_path(small()), true);
  try {
    bench.cycle({load(1), load(2), load(3), load(4), load(5)});
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "ProfilerDevice: cycle 0: expected at most 4 retired lanes, got 5; the path needs "
                 "as many lanes as the core retires");
  }
}

TEST(ProfilerDevice, TheReadOutAtTheEndLosesNoCount) {
  Bench bench;
  bench.start(5);
  RandomSource random(test_seed());
  for (int i = 0; i < 500; ++i) {
    std::vector<RetireRecord> records;
    for (uint64_t j = random.below(5); j != 0; --j) records.push_back(load(random.below(40)));
    bench.cycle(records);
  }
  const Leftovers left = bench.device.read_out();
  uint64_t reported = 0;
  for (const Message& message : left.messages) reported += message.count;
  EXPECT_GT(left.residue, 0u);
  EXPECT_GT(bench.device.dropped(), 0u);
  EXPECT_GT(left.messages.size(), 8u);
  EXPECT_EQ(bench.device.high_water(), 8u);
  EXPECT_EQ(bench.device.level(), 0u);
  EXPECT_EQ(reported + left.residue + bench.device.dropped(), bench.device.events());
}

/// Differs from the reference in one interrupt.
class WrongPath final : public ProfilerPath {
 public:
  PathOutputs step(const PathInputs& inputs) override {
    PathOutputs out = path_->step(inputs);
    out.irq = cycle_++ == 5;
    return out;
  }
  PathOutputs peek(uint16_t addr) override { return path_->peek(addr); }
  void skip(uint64_t cycles) override { path_->skip(cycles); }
  void reset() override { path_->reset(); }
  const PathParams& params() const override { return path_->params(); }

 private:
  std::unique_ptr<ProfilerPath> path_ = make_accelerated_path(small());
  uint64_t cycle_ = 0;
};

TEST(ProfilerDevice, ALockstepErrorLeavesTheSimulationWithItsMessage) {
  Bench bench(std::make_unique<LockstepPath>(std::make_unique<WrongPath>(),
                                             make_accelerated_path(small())));
  bench.initiator.body = [&bench] {
    for (int i = 0; i < 100; ++i) bench.cycle();
  };
  try {
    sc_core::sc_start();
    FAIL() << "no exception";
  } catch (const sc_core::sc_report& report) {  // the kernel wraps what a process throws
    EXPECT_STREQ(report.get_msg_type(), sc_core::SC_ID_SIMULATION_UNCAUGHT_EXCEPTION_);
    EXPECT_THAT(report.get_msg(),
                testing::HasSubstr("lockstep: cycle 5: strobe_profiler.irq: rtl 0x1, model 0x0"));
  }
}

}  // namespace
}  // namespace strobe::profiling
