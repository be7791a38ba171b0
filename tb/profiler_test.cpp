// The whole path: the Verilated top compared with the composed references, and properties of both.
#include <memory>
#include <string>
#include <vector>

#include "sc_models/port/path_facts_generated.h"
#include "sc_models/profiling/reference/profiler_path.h"
#include "sc_models/profiling/verilated/rtl_object.h"
#include "sc_models/profiling/verilated/verilated_path.h"
#include "tb/common/profiler_traffic.h"
#include "tests/blocks_generated.h"

namespace strobe::tb {
namespace {

using profiling::PathOutputs;
using profiling::ProfilerPath;

PathParams tiny() {
  PathParams params;
  params.lanes = 2;
  params.selectors = 1;
  params.queue_depth = 8;
  params.strata = 16;
  params.counter_width = 4;
  params.buffer_depth = 4;
  return params;
}

void compare(const PathOutputs& rtl, const PathOutputs& reference, Difference& d) {
  d.check("reg_rdata", rtl.reg_rdata, reference.reg_rdata);
  d.check("reg_error", rtl.reg_error, reference.reg_error);
  d.check("irq", rtl.irq, reference.irq);
  d.check("idle", rtl.idle, reference.idle);
  d.check("mem_valid", rtl.mem_valid, reference.mem_valid);
  d.check("mem_addr", rtl.mem_addr, reference.mem_addr);
  d.check("mem_data", rtl.mem_data, reference.mem_data);
}

template <class Mutate = Unchanged>
std::string run(const PathParams& params, Mutate mutate = {}) {
  const std::unique_ptr<ProfilerPath> rtl = profiling::make_verilated_path(params);
  const std::unique_ptr<ProfilerPath> reference = profiling::make_reference_path(params);
  return first_difference(*rtl, *reference, 3 * bench_cycles(), Traffic(params, bench_seed(), true),
                          compare, mutate);
}

uint64_t read(ProfilerPath& path, uint16_t address) {
  PathInputs in;
  in.reg_re = true;
  in.reg_addr = address;
  return path.step(in).reg_rdata;
}

// Drains the buffer and returns the counts that were in it.
uint64_t drain(ProfilerPath& path) {
  uint64_t counts = 0;
  for (;;) {
    read(path, kMsgPc);
    const uint64_t meta = read(path, kMsgMeta);
    if (meta >> 63 == 0) return counts;
    counts += meta & 0xffffffff;
  }
}

uint64_t level_sum(ProfilerPath& path, uint64_t first, unsigned entries) {
  uint64_t sum = 0;
  for (unsigned k = 0; k < entries; ++k) {
    path.step(write(kTableIndex, first + k));
    path.skip(2);
    sum += read(path, kTableData) & 0xffffffff;
  }
  return sum;
}

uint64_t table_sum(ProfilerPath& path) {
  return level_sum(path, 0, path.params().strata) +
         level_sum(path, 0x8000, path.params().second_entries);
}

// Compares events in with counts out, through the registers alone.
void expect_conservation(const PathParams& params) {
  const std::unique_ptr<ProfilerPath> path = profiling::make_verilated_path(params);
  path->step(write(kPeriod, 7));
  Traffic traffic(params, bench_seed(), false);
  uint64_t counts = 0;
  for (uint64_t cycle = 0; cycle < bench_cycles(); ++cycle) {
    const PathInputs in = traffic(cycle);
    const PathOutputs out = path->step(in);
    if (in.reg_re && in.reg_addr == kMsgMeta) counts += out.reg_rdata & 0xffffffff;
  }
  path->step(write(kCtrl, 0));
  while ((read(*path, kStatus) & 2) == 0) counts += drain(*path);
  counts += drain(*path);
  const uint64_t events = read(*path, kEvents), dropped = read(*path, kDropped);
  EXPECT_GT(events, bench_cycles() / 8);
  EXPECT_GT(counts, 0u);
  EXPECT_EQ(events, counts + table_sum(*path) + dropped);
}

// Both paths are RTL; skipped cycles must change nothing.
void expect_skipping(const PathParams& params) {
  const std::unique_ptr<ProfilerPath> skips = profiling::make_verilated_path(params);
  const std::unique_ptr<ProfilerPath> steps = profiling::make_verilated_path(params);
  Random random(bench_seed());
  Traffic traffic(params, bench_seed(), true);
  for (unsigned round = 0; round < 2000; ++round) {
    for (uint64_t busy = below(random, 40); busy > 0; --busy) {
      const PathInputs in = traffic(round * 40 + busy);
      skips->step(in);
      steps->step(in);
    }
    const uint64_t quiet = below(random, 50);
    skips->skip(quiet);
    for (uint64_t k = 0; k < quiet; ++k) steps->step(PathInputs{});
    for (uint16_t address = 0; address < 0x200; address = static_cast<uint16_t>(address + 8)) {
      Difference difference;
      compare(skips->peek(address), steps->peek(address), difference);
      ASSERT_EQ(difference.text(), "") << "round " << round << ", register " << address;
    }
  }
}

TEST(ProfilerRtl, EqualsTheReferenceAtTheDefaults) { EXPECT_EQ(run(PathParams{}), ""); }

TEST(ProfilerRtl, EqualsTheReferenceWhereEveryLimitIsNear) { EXPECT_EQ(run(tiny()), ""); }

TEST(ProfilerRtl, ConservesEventsAtTheDefaults) { expect_conservation(PathParams{}); }

TEST(ProfilerRtl, ConservesEventsWhereEveryLimitIsNear) { expect_conservation(tiny()); }

/// The points of the compressors and one with a ring, those whose counts are exact or those whose
/// counts are estimates.
std::vector<std::string> points(bool estimates) {
  std::vector<std::string> points;
  for (const char* point : kCompressorPoints) {
    if (profiling::estimates(profiling::parse_point(point)) == estimates)
      points.emplace_back(point);
  }
  if (!estimates) {
    points.emplace_back("QueueDepth=8 Strata=16 CounterWidth=4 BufferDepth=4 Ring=1");
  }
  return points;
}

class EachCompressor : public testing::TestWithParam<std::string> {
 protected:
  PathParams params() const { return profiling::parse_point(GetParam().c_str()); }
};

TEST_P(EachCompressor, EqualsTheReference) { EXPECT_EQ(run(params()), ""); }

class EachConserving : public EachCompressor {};

TEST_P(EachConserving, ConservesEvents) { expect_conservation(params()); }

TEST_P(EachCompressor, SkippingIsTheSameAsStepping) { expect_skipping(params()); }

TEST_P(EachCompressor, IsToldApartWhenOneInstructionInTenThousandIsLost) {
  const auto lose = [](PathInputs& in, uint64_t cycle) {
    if (cycle % 10000 == 9999) in.lane[0].valid = false;
  };
  EXPECT_NE(run(params(), lose), "");
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
  return profiling::point_key(profiling::parse_point(info.param.c_str()));
}

INSTANTIATE_TEST_SUITE_P(Conserving, EachCompressor, testing::ValuesIn(points(false)), name_of);
INSTANTIATE_TEST_SUITE_P(Estimating, EachCompressor, testing::ValuesIn(points(true)), name_of);
INSTANTIATE_TEST_SUITE_P(ProfilerRtl, EachConserving, testing::ValuesIn(points(false)), name_of);

// Compares events in with counts of the records out, for fast and slow software and memory.
TEST(ProfilerRtl, ConservesEventsThroughTheRing) {
  const PathParams params =
      profiling::parse_point("QueueDepth=8 Strata=16 CounterWidth=4 BufferDepth=4 Ring=1");
  const std::unique_ptr<ProfilerPath> path = profiling::make_verilated_path(params);
  path->step(write(kPeriod, 7));
  path->step(write(kRingConfig, 2));
  path->step(write(kRingBase, 0x4000));
  path->step(write(kRingCtrl, 1));
  path->step(write(kRingBase, 0x8000));  // the ring is locked now
  Traffic traffic(params, bench_seed(), false);
  uint64_t counts = 0, records = 0;
  const auto step = [&](const PathInputs& in) {
    const PathOutputs out = path->step(in);
    if (!out.mem_valid || !in.mem_ready) return;
    EXPECT_EQ(out.mem_addr & ~uint64_t{0x7f}, 0x4000u);
    if ((out.mem_addr & 0x18) != 0x18) return;
    counts += out.mem_data & 0xffffffff;
    ++records;
  };
  for (uint64_t cycle = 0; cycle < bench_cycles(); ++cycle) {
    PathInputs in = traffic(cycle);
    if (!in.reg_re && !in.reg_we && cycle % 97 < 20) in = write(kRingCons, records);
    step(in);
  }
  EXPECT_EQ(read(*path, kMsgPc), 0u) << "the ring has the buffer";
  EXPECT_EQ(read(*path, kMsgMeta), 0u);
  path->step(write(kCtrl, 0));
  while ((read(*path, kStatus) & 2) == 0) {
    PathInputs in = write(kRingCons, records);
    in.mem_ready = true;
    step(in);
  }
  const uint64_t events = read(*path, kEvents), dropped = read(*path, kDropped);
  EXPECT_GT(read(*path, kRingStalls), bench_cycles() / 100);
  EXPECT_EQ(read(*path, kRingProd), records);
  EXPECT_GT(counts, 0u);
  EXPECT_EQ(events, counts + table_sum(*path) + dropped);
}

TEST(ProfilerRtl, HasNoRingRegistersWithoutARing) {
  const std::unique_ptr<ProfilerPath> path = profiling::make_verilated_path(tiny());
  EXPECT_TRUE(path->peek(kRingCtrl).reg_error);
  EXPECT_FALSE(path->peek(kSelCtrl).reg_error);
}

TEST(ProfilerRtl, IsToldApartFromAnotherPeriod) {
  const auto longer = [](PathInputs& in, uint64_t) {
    if (in.reg_we && in.reg_addr == kPeriod && in.reg_wdata < 100) ++in.reg_wdata;
  };
  EXPECT_NE(run(tiny(), longer), "");
}

TEST(ProfilerRtl, IsToldApartWhenOneInstructionInTenThousandIsLost) {
  const auto lose = [](PathInputs& in, uint64_t cycle) {
    if (cycle % 10000 == 9999) in.lane[0].valid = false;
  };
  EXPECT_NE(run(PathParams{}, lose), "");
}

TEST(ProfilerRtl, IsToldApartFromOneWithoutPermissionNowAndThen) {
  const auto refuse = [](PathInputs& in, uint64_t cycle) {
    if (cycle % 10000 == 9999) in.profile_en = false;
  };
  EXPECT_NE(run(PathParams{}, refuse), "");
}

// Everything is selected and reported immediately; the second instruction comes without permission.
TEST(ProfilerRtl, SelectsNothingWithoutPermissionAndDrainsWhatItHas) {
  const std::unique_ptr<ProfilerPath> path = profiling::make_verilated_path(tiny());
  path->step(write(kPeriod, 1));
  path->step(write(kSelCtrl, 0xffff'0031));
  path->step(write(kCtrl, 1));
  path->skip(20);
  PathInputs in;
  in.lane[0].valid = true;
  in.lane[0].insn = 0x13;
  for (const bool permitted : {true, false, true}) {
    in.lane[0].pc_rdata += 4;
    in.profile_en = permitted;
    path->step(in);
  }
  PathInputs nothing;
  nothing.profile_en = false;
  for (unsigned k = 0; k < 20; ++k) path->step(nothing);
  EXPECT_EQ(read(*path, kCtrl), 1u) << "software's word is kept";
  EXPECT_EQ(read(*path, kEvents), 2u);
  for (const uint64_t pc : {4, 12}) {
    EXPECT_EQ(read(*path, kMsgPc), pc);
    EXPECT_EQ(read(*path, kMsgMeta) >> 63, 1u);
    path->skip(4);
  }
  EXPECT_EQ(read(*path, kMsgMeta) >> 63, 0u);
}

// A marker, a cycle without permission, and an instruction that would follow the marker.
TEST(ProfilerRtl, ForgetsAMarkerWithoutPermission) {
  for (const bool permitted : {true, false}) {
    const std::unique_ptr<ProfilerPath> path = profiling::make_verilated_path(tiny());
    path->step(write(kSelCtrl, 0xffff'0071));  // selects what follows marker 0
    path->step(write(kCtrl, 1));
    path->skip(20);
    PathInputs in;
    in.lane[0].valid = true;
    in.lane[0].insn = 0x3013;
    path->step(in);
    PathInputs nothing;
    nothing.profile_en = permitted;
    path->step(nothing);
    in.lane[0].insn = 0x13;
    path->step(in);
    path->skip(4);
    EXPECT_EQ(read(*path, kEvents), permitted ? 1u : 0u);
  }
}

TEST(ProfilerRtl, SkippingIsTheSameAsStepping) { expect_skipping(tiny()); }

TEST(ProfilerRtl, PeekingDoesNotClockAndDoesNotPop) {
  const std::unique_ptr<ProfilerPath> path = profiling::make_verilated_path(tiny());
  path->step(write(kPeriod, 1));
  path->step(write(kCtrl, 1));
  path->step(write(kSelCtrl, 0xffff'0031));
  path->step(write(kIntrEnable, 1));
  path->skip(20);
  PathInputs in;
  in.lane[0].valid = true;
  in.lane[0].insn = 0x13;
  path->step(in);
  path->skip(10);
  path->peek(kMsgPc);
  EXPECT_EQ(path->peek(kMsgMeta).reg_rdata, 0u) << "peeking shows nothing to software";
  read(*path, kMsgPc);
  for (unsigned k = 0; k < 3; ++k) {
    EXPECT_EQ(path->peek(kMsgMeta).reg_rdata, uint64_t{1} << 63 | uint64_t{0} << 32 | 1);
    EXPECT_EQ(path->peek(kStatus).reg_rdata, 1u << 16 | 2u);
  }
}

TEST(ProfilerRtl, ResetGivesWhatANewPathGives) {
  const PathParams params = tiny();
  const std::unique_ptr<ProfilerPath> used = profiling::make_verilated_path(params);
  Traffic before(params, bench_seed(), true);
  for (uint64_t cycle = 0; cycle < 5000; ++cycle) used->step(before(cycle));
  used->reset();
  const std::unique_ptr<ProfilerPath> fresh = profiling::make_verilated_path(params);
  EXPECT_EQ(first_difference(*used, *fresh, 20000, Traffic(params, 2, true), compare, Unchanged{}),
            "");
}

}  // namespace
}  // namespace strobe::tb
