// The accelerated path against the reference path, which steps every block in every cycle.
#include "sc_models/profiling/accelerated/accelerated_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/unit/profiling/path_driver.h"

namespace strobe::profiling {
namespace {

class Accelerated : public testing::TestWithParam<const char*> {
 protected:
  RandomSource random{test_seed()};
  const PathParams params = parse_point(GetParam());
  ReferencePath reference{params};
  AcceleratedPath accelerated{params};

  void step_both(const PathInputs& in, unsigned cycle) {
    const PathOutputs got = accelerated.step(in), expected = reference.step(in);
    ASSERT_EQ(got.reg_rdata, expected.reg_rdata) << "cycle " << cycle << " addr " << in.reg_addr;
    ASSERT_EQ(got.reg_error, expected.reg_error) << "cycle " << cycle;
    ASSERT_EQ(got.irq, expected.irq) << "cycle " << cycle;
    ASSERT_EQ(got.idle, expected.idle) << "cycle " << cycle;
    ASSERT_EQ(got.mem_valid, expected.mem_valid) << "cycle " << cycle;
    ASSERT_EQ(got.mem_addr, expected.mem_addr) << "cycle " << cycle;
    ASSERT_EQ(got.mem_data, expected.mem_data) << "cycle " << cycle;
  }

  /// Every register, the interrupt and idle.
  void compare_state(unsigned round) {
    for (uint16_t addr = 0; addr < 0x200; addr = static_cast<uint16_t>(addr + 8)) {
      ASSERT_EQ(peek(accelerated, addr), peek(reference, addr))
          << "round " << round << " addr " << addr;
    }
    ASSERT_EQ(accelerated.peek(0).irq, reference.peek(0).irq) << "round " << round;
    ASSERT_EQ(accelerated.peek(0).idle, reference.peek(0).idle) << "round " << round;
  }
};

TEST_P(Accelerated, EqualsTheReferenceCycleByCycleOnRandomInputs) {
  bool dense = true;
  for (unsigned cycle = 0; cycle < 100000 && !HasFatalFailure(); ++cycle) {
    if (random.one_in(100)) dense = !dense;
    PathInputs in = random_inputs(random, dense);
    in.profile_en = !random.one_in(50);
    in.mem_ready = random.one_in(2);
    in.mem_idle = random.one_in(2);
    step_both(in, cycle);
  }
}

TEST_P(Accelerated, SkippingEqualsSteppingFromAnyState) {
  for (unsigned round = 0; round < 5000 && !HasFatalFailure(); ++round) {
    for (uint64_t i = random.below(6); i != 0; --i) {
      step_both(random_inputs(random, random.one_in(2)), round);
    }
    const uint64_t cycles = random.below(40);
    for (uint64_t i = 0; i < cycles; ++i) reference.step(PathInputs{});
    accelerated.skip(cycles);
    compare_state(round);
  }
}

// One cycle in which only loads retire: absorbed by the one, stepped by the other.
TEST_P(Accelerated, AbsorbingEqualsSteppingUntilTheNextOtherInput) {
  start(reference, 3);
  start(accelerated, 3);
  uint64_t absorbed = 0;
  for (unsigned round = 0; round < 5000 && !HasFatalFailure(); ++round) {
    for (uint64_t i = random.below(20); i != 0; --i) {
      const uint64_t idle = random.one_in(3) ? random.below(12) : 0;
      std::vector<RetireRecord> records(1 + random.below(params.lanes));
      std::vector<const RetireRecord*> picked;
      PathInputs in;
      for (size_t k = 0; k < records.size(); ++k) {
        RetireRecord& record = records[k];
        record.insn = kLoadInsn;
        record.opclass = OpClass::kLoad;
        record.mode = PrivilegeMode::kUser;
        record.trap = random.one_in(20) ? 1 : 0;
        record.pc_rdata = 0x1000 + 4 * random.below(8);
        record.rd_wdata = random.below(3);
        picked.push_back(&record);
        in.lane[k] = load_lane(record.pc_rdata, record.rd_wdata);
        in.lane[k].trap = record.trap != 0;
      }
      for (uint64_t cycle = 0; cycle < idle; ++cycle) reference.step(PathInputs{});
      reference.step(in);
      const auto count = static_cast<unsigned>(picked.size());
      if (accelerated.absorb(idle, picked.data(), count) == 0) {
        accelerated.step(in);
      } else {
        ++absorbed;
      }
    }
    const uint64_t rest = random.below(30);
    for (uint64_t cycle = 0; cycle < rest; ++cycle) reference.step(PathInputs{});
    accelerated.skip(rest);
    compare_state(round);
    if (random.one_in(4)) {
      ASSERT_EQ(drain(accelerated), drain(reference)) << "round " << round;
    }
  }
  const bool flows = params.kind() == CompressorKind::kStratified && params.banks == 1 &&
                     params.second_entries == 0 && params.ring == 0;
  EXPECT_EQ(absorbed != 0, flows) << absorbed << " cycles were absorbed";
}

INSTANTIATE_TEST_SUITE_P(
    Paths, Accelerated,
    testing::Values("QueueDepth=8 Strata=16 CounterWidth=4 BufferDepth=4",
                    "QueueDepth=16 Strata=16 CounterWidth=4 BufferDepth=16 Sampler=2",
                    "QueueDepth=8 Strata=16 CounterWidth=4 BufferDepth=4 Banks=4 Sampler=3",
                    "QueueDepth=8 Strata=16 CounterWidth=4 BufferDepth=4 Compressor=1",
                    "QueueDepth=8 Strata=16 CounterWidth=4 BufferDepth=4 Compressor=2",
                    "QueueDepth=8 Strata=16 CounterWidth=4 BufferDepth=4 SecondEntries=4",
                    "QueueDepth=8 Strata=16 CounterWidth=4 BufferDepth=8 Ring=1",
                    "QueueDepth=8 Strata=16 CounterWidth=4 BufferDepth=8 PcWidth=40 ValueWidth=8"));

}  // namespace
}  // namespace strobe::profiling
