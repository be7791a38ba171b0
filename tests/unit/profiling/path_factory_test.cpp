#include "sc_models/profiling/device/path_factory.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "sc_models/port/path_interface.h"
#include "tests/unit/profiling/path_driver.h"

namespace strobe::profiling {
namespace {

/// The point with small memories that is built with the project: every limit is reached quickly.
PathParams small() {
  PathParams params;
  params.lanes = 2;
  params.selectors = 1;
  params.queue_depth = 8;
  params.strata = 16;
  params.counter_width = 4;
  params.buffer_depth = 4;
  return params;
}

RetireLane any_lane(RandomSource& random) {
  RetireLane lane = load_lane(0x1000 + 4 * random.below(99), random.below(9));
  lane.pc_wdata = random.below(9);
  lane.mem_addr = random.below(9);
  lane.trap = random.one_in(9);
  lane.mode = static_cast<uint8_t>(random.one_in(3) ? random.below(4) : 0);
  if (random.one_in(2)) lane.insn = static_cast<uint32_t>(random.word()) | 3;
  return lane;
}

/// A write of anything anywhere, or of a slot that selects much.
PathInputs any_write(RandomSource& random) {
  if (random.one_in(2)) {
    return write_access(kRegSelCtrl, (random.word() & 0xffff0f06) | kSelectUserLoads | 0x20);
  }
  const auto addr = static_cast<uint16_t>(8 * random.below(512));
  if (addr == kRegRegwen || addr == kRegCtrl) return PathInputs{};  // would end the traffic
  if (addr == kRegSelPcLo) return write_access(addr, 0x1000 + random.below(200));
  if (addr == kRegSelPcHi) return write_access(addr, 0x10c8 + random.below(200));
  return write_access(addr, random.word() >> random.below(64));
}

/// Random traffic; enough of it to fill queue and buffer, to skip and to clear.
/// @return the messages that came out
uint64_t exercise(ProfilerPath& path, RandomSource& random, int cycles) {
  start(path, 3);
  uint64_t messages = 0;
  bool shown = false;
  for (int cycle = 0; cycle < cycles; ++cycle) {
    PathInputs in;
    for (unsigned k = 0; k < path.params().lanes; ++k) {
      if (random.one_in(3)) in.lane[k] = any_lane(random);
    }
    if (random.one_in(2)) {
      in = read_access(shown ? kRegMsgMeta : kRegMsgPc);
      shown = !shown;
    }
    if (random.one_in(500)) in = write_access(kRegPeriod, random.below(20));
    if (random.one_in(500)) in = write_access(kRegTableIndex, random.below(5000));
    if (random.one_in(500)) in = write_access(kRegWatermark, random.below(5));
    if (random.one_in(500)) in = write_access(kRegIntrEnable, random.below(4));
    if (random.one_in(500)) in = write_access(kRegIntrState, random.below(4));
    if (random.one_in(2000)) in = write_access(kRegCtrl, kCtrlClear | kCtrlEnable);
    if (random.one_in(300)) in = any_write(random);
    const PathOutputs out = path.step(in);
    if (in.reg_addr == kRegMsgMeta) messages += out.reg_rdata >> 63;
    if (!random.one_in(300)) continue;
    do {
      path.step(read_access(kRegMsgPc));
    } while (!path.step(read_access(kRegMsgMeta)).idle);
    for (int i = 0; i < 3; ++i) path.step(PathInputs{});
    path.skip(1 + random.below(100));
  }
  return messages;
}

TEST(MakePath, LockstepOfRtlAndModelAgreesOnRandomTraffic) {
  RandomSource random(test_seed());
  const std::unique_ptr<ProfilerPath> path = make_path(Fidelity::kLockstep, small());
  EXPECT_GT(exercise(*path, random, 30000), 500u);
  path->reset();
  EXPECT_GT(exercise(*path, random, 3000), 0u);
}

TEST(MakePath, LockstepOfTheDefaultPointAgreesOnRandomTraffic) {
  RandomSource random(test_seed());
  const std::unique_ptr<ProfilerPath> path = make_path(Fidelity::kLockstep, PathParams{});
  EXPECT_GT(exercise(*path, random, 20000), 50u);
}

TEST(MakePath, EachFidelityGivesAPathWithTheParametersAskedFor) {
  for (const Fidelity fidelity : {Fidelity::kRtl, Fidelity::kModel, Fidelity::kLockstep}) {
    EXPECT_EQ(make_path(fidelity, small())->params(), small());
  }
}

TEST(MakePath, ParametersOutOfRangeAreRefusedWhateverTheFidelity) {
  PathParams params;
  params.strata = 100;
  for (const Fidelity fidelity : {Fidelity::kRtl, Fidelity::kModel, Fidelity::kLockstep}) {
    EXPECT_THROW(make_path(fidelity, params), std::invalid_argument);
  }
}

TEST(MakePath, WaveformsOfAModelAndOfAnUnknownFormatAreRefused) {
  const auto error_of = [](Fidelity fidelity, const char* file) -> std::string {
    try {
      make_path(fidelity, small(), {file, 0, 1});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of(Fidelity::kModel, "w.vcd"),
            "profiling path: waveforms need the RTL, expected fidelity rtl or lockstep, got model");
  EXPECT_EQ(error_of(Fidelity::kRtl, "w.wav"),
            "waveforms: expected a file name that ends in .vcd or .fst, got 'w.wav'");
}

}  // namespace
}  // namespace strobe::profiling
