// The device leaves out instructions that no selector slot names, and cycles in which the path
// cannot move. This must change nothing: two devices run side by side, and one of them gets
// everything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sc_models/profiling/device/path_factory.h"
#include "sc_models/profiling/reference/selection/selector.h"
#include "tests/sysc/profiling/device_bench.h"
#include "tests/unit/profiling/random_stream.h"

namespace strobe::profiling {
namespace {

constexpr unsigned kLanes = 2;

// Small enough that the queue and the buffer overflow; built with the project for the RTL.
PathParams tiny() {
  PathParams params;
  params.lanes = kLanes;
  params.selectors = 1;
  params.queue_depth = 8;
  params.strata = 16;
  params.counter_width = 4;
  params.buffer_depth = 4;
  return params;
}

// The same with room for stretches of free flow (docs/blocks/profiling_path.md); of the model
// alone.
PathParams roomy() {
  PathParams params = tiny();
  params.queue_depth = 32;
  params.buffer_depth = 64;
  return params;
}

struct Shape {
  const char* name;
  Fidelity fidelity;
  PathParams params;
  unsigned length;  // in cycles
  unsigned cycles;  // from one look at the registers to the next, on average: a look ends a stretch
  bool core_time = false;  // the device is told what time it is: it need not be busy in a stretch
};

std::vector<RetireRecord> retired(RandomSource& random) {
  static constexpr uint32_t kOpcodes[] = {0x33, 0x03, 0x03, 0x23, 0x63, 0x6f, 0x67, 0x53, 0x73};
  std::vector<RetireRecord> records(random.below(kLanes + 1));
  for (RetireRecord& record : records) {
    record.insn = static_cast<uint32_t>(random.word() & ~uint64_t{0x7f}) |
                  kOpcodes[random.below(std::size(kOpcodes))];
    record.opclass = op_class(record.insn);
    record.mode = random.one_in(4) ? PrivilegeMode::kMachine : PrivilegeMode::kUser;
    record.trap = random.one_in(20) ? 1 : 0;
    record.pc_rdata = 0x1000 + 4 * random.below(64);
    record.pc_wdata = random.below(4);
    record.rd_wdata = random.below(4);
    record.mem_addr = random.below(4);
  }
  return records;
}

struct Write {
  uint16_t offset;
  uint64_t data;
};

Write any_write(RandomSource& random, unsigned watermarks) {
  switch (random.below(8)) {
    case 0:
      return {kRegCtrl, random.one_in(8)   ? kCtrlEnable | kCtrlClear
                        : random.one_in(4) ? 0
                                           : kCtrlEnable};
    case 1:
      return {kRegPeriod, random.below(17)};
    case 2:
      return {kRegWatermark, random.below(watermarks)};
    case 3:
      return {kRegIntrEnable, random.below(4)};
    case 4:
      return {kRegSelPcHi, random.one_in(2) ? ~uint64_t{0} : 0x1000 + 4 * random.below(64)};
    default:  // enabled, user or both modes, any kind, a few classes
      return {kRegSelCtrl, 0x11 | random.below(4) << 1 | random.below(2) << 5 |
                               (random.word() & random.word() & 0xffff) << 16};
  }
}

/// All registers, as debug accesses see them.
std::vector<uint64_t> registers(Bench& bench) {
  std::vector<uint64_t> values;
  for (uint16_t offset = 0; offset < kRegSelCtrl + kSelectorStride; offset += 8) {
    uint64_t value = 0;
    bench.debug(tlm::TLM_READ_COMMAND, offset, value);
    values.push_back(value);
  }
  return values;
}

class LaneUse : public testing::TestWithParam<Shape> {};

TEST_P(LaneUse, LeavingOutWhatNoSlotNamesChangesNoRegisterAndNoInterruptInAnyCycle) {
  const Shape& shape = GetParam();
  Bench all(make_path(shape.fidelity, shape.params), true);
  Bench some(make_path(shape.fidelity, shape.params), false);
  // Accesses come after the call of a cycle, and so do debug accesses.
  if (shape.core_time) some.device.set_core_time([&some] { return some.now - 1; });
  RandomSource random(test_seed()), look(2);
  uint64_t left_out = 0, most_events = 0;
  bool shown = false;
  for (unsigned cycle = 0; cycle < shape.length; ++cycle) {
    const bool quiet = cycle / 64 % 2 == 0;  // stretches in which the path comes to rest
    if (random.one_in(30)) {
      const Write write = any_write(random, shape.params.buffer_depth + 1);
      all.write(write.offset, write.data);
      some.write(write.offset, write.data);
    } else if (random.one_in(10)) {
      const uint16_t next = shown ? kRegMsgMeta : kRegMsgPc;
      ASSERT_EQ(all.read(next), some.read(next)) << "cycle " << cycle;
      shown = !shown;
    }
    std::vector<RetireRecord> records = retired(random);
    if (quiet && !random.one_in(8)) records.clear();
    all.cycle(records);
    if (!some.device.busy()) ++left_out;
    if (!records.empty() || some.device.busy()) {
      some.cycle(records);
    } else {
      ++some.now;
    }
    ASSERT_EQ(all.line.changes, some.line.changes) << "cycle " << cycle;
    if (!look.one_in(shape.cycles)) continue;
    ASSERT_EQ(registers(all), registers(some)) << "cycle " << cycle;
    most_events = std::max(most_events, all.device.events());
  }
  EXPECT_GT(left_out, 1000u);
  EXPECT_GT(most_events, 100u);
  EXPECT_GT(all.line.changes.size(), 10u);
  EXPECT_EQ(all.device.read_out().messages, some.device.read_out().messages);
}

INSTANTIATE_TEST_SUITE_P(
    , LaneUse,
    testing::Values(Shape{"Model", Fidelity::kModel, tiny(), 20000, 1},
                    Shape{"Rtl", Fidelity::kRtl, tiny(), 20000, 1},
                    Shape{"ModelSeldomLookedAt", Fidelity::kModel, tiny(), 20000, 40},
                    Shape{"ModelWithRoom", Fidelity::kModel, roomy(), 200000, 40},
                    Shape{"ModelToldTheTime", Fidelity::kModel, roomy(), 200000, 40, true}),
    [](const auto& shape) { return std::string(shape.param.name); });

}  // namespace
}  // namespace strobe::profiling
