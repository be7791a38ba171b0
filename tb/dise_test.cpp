// The decode engine's RTL against its reference.
#include <algorithm>

#include "Vdise_l1_c1_w8_f1_s3.h"
#include "Vdise_l1_c1_w8_f1_s3___024root.h"
#include "Vdise_l1_c2_w20_f0.h"
#include "Vdise_l1_c2_w20_f0___024root.h"
#include "Vdise_l2_c3_w8_f0.h"
#include "Vdise_l2_c3_w8_f0___024root.h"
#include "Vdise_l2_c3_w8_f1_j1.h"
#include "Vdise_l2_c3_w8_f1_j1___024root.h"
#include "Vdise_l2_p4_r16_c2_w8_f1_m0.h"
#include "Vdise_l2_p4_r16_c2_w8_f1_m0___024root.h"
#include "Vdise_l4_c2_w20_f0.h"
#include "Vdise_l4_c2_w20_f0___024root.h"
#include "Vdise_l4_c2_w20_f0_j1.h"
#include "Vdise_l4_c2_w20_f0_j1___024root.h"
#include "Vdise_l4_c2_w8_f1.h"
#include "Vdise_l4_c2_w8_f1___024root.h"
#include "Vdise_l4_p4_r16_c2_w8_f0_m0_t0.h"
#include "Vdise_l4_p4_r16_c2_w8_f0_m0_t0___024root.h"
#include "Vdise_l4_p4_r16_c2_w8_f0_m0_t0_j1.h"
#include "Vdise_l4_p4_r16_c2_w8_f0_m0_t0_j1___024root.h"
#include "Vdise_l4_p8_r16_c2_w8_f0_m1.h"
#include "Vdise_l4_p8_r16_c2_w8_f0_m1___024root.h"
#include "Vdise_l4_p8_r16_c2_w8_f0_m1_j1.h"
#include "Vdise_l4_p8_r16_c2_w8_f0_m1_j1___024root.h"
#include "Vdise_l4_p8_r32_c2_w8_f0_m1_t0.h"
#include "Vdise_l4_p8_r32_c2_w8_f0_m1_t0___024root.h"
#include "tb/common/dise_stream.h"

namespace strobe::tb {
namespace {

using profiling::DiseEngine;
using profiling::DiseModel;
using profiling::DiseParams;

DiseParams point(unsigned lanes, unsigned counters, unsigned width, bool after) {
  DiseParams params;
  params.lanes = lanes;
  params.counters = counters;
  params.counter_width = width;
  params.flags_after = after;
  return params;
}

// Runs many production sets, one after another.
template <class V>
std::string run(const DiseParams& params, StreamRates rates) {
  rates.program = 30;
  DiseStream<V> stream(params, rates, bench_seed());
  return stream.run(bench_cycles() / 2);
}

constexpr StreamRates kHarsh{60, 50, 3, 3};  // gaps, back-pressure, restores

TEST(DiseRtl, EqualsTheReferenceWithFourLanes) {
  EXPECT_EQ(run<Vdise_l4_c2_w20_f0>(point(4, 2, 20, false), {}), "");
}

TEST(DiseRtl, EqualsTheReferenceUnderBackPressureAndRestores) {
  EXPECT_EQ(run<Vdise_l4_c2_w20_f0>(point(4, 2, 20, false), kHarsh), "");
}

TEST(DiseRtl, EqualsTheReferenceWithTwoLanesAndThreeCounters) {
  EXPECT_EQ(run<Vdise_l2_c3_w8_f0>(point(2, 3, 8, false), {}), "");
}

TEST(DiseRtl, EqualsTheReferenceWithFlagsAfter) {
  EXPECT_EQ(run<Vdise_l4_c2_w8_f1>(point(4, 2, 8, true), {}), "");
  EXPECT_EQ(run<Vdise_l4_c2_w8_f1>(point(4, 2, 8, true), kHarsh), "");
}

TEST(DiseRtl, EqualsTheReferenceWithOneLaneAndALongerStall) {
  StreamRates rates;
  rates.stall_cycles = 3;
  EXPECT_EQ(run<Vdise_l1_c1_w8_f1_s3>(point(1, 1, 8, true), rates), "");
}

// Small tables, and fewer stages than five.
DiseParams small_point(unsigned lanes, unsigned patterns, unsigned replacements, bool after) {
  DiseParams params = point(lanes, 2, 8, after);
  params.patterns = patterns;
  params.replacements = replacements;
  return params;
}

TEST(DiseRtl, EqualsTheReferenceInTwoStages) {
  const DiseParams params = small_point(4, 4, 16, false);
  EXPECT_EQ(run<Vdise_l4_p4_r16_c2_w8_f0_m0_t0>(params, {}), "");
  EXPECT_EQ(run<Vdise_l4_p4_r16_c2_w8_f0_m0_t0>(params, kHarsh), "");
}

TEST(DiseRtl, EqualsTheReferenceInThreeStages) {
  EXPECT_EQ(run<Vdise_l4_p8_r32_c2_w8_f0_m1_t0>(small_point(4, 8, 32, false), {}), "");
  EXPECT_EQ(run<Vdise_l4_p8_r32_c2_w8_f0_m1_t0>(small_point(4, 8, 32, false), kHarsh), "");
  EXPECT_EQ(run<Vdise_l2_p4_r16_c2_w8_f1_m0>(small_point(2, 4, 16, true), {}), "");
  EXPECT_EQ(run<Vdise_l2_p4_r16_c2_w8_f1_m0>(small_point(2, 4, 16, true), kHarsh), "");
}

TEST(DiseRtl, EqualsTheReferenceInFourStages) {
  EXPECT_EQ(run<Vdise_l4_p8_r16_c2_w8_f0_m1>(small_point(4, 8, 16, false), {}), "");
  EXPECT_EQ(run<Vdise_l4_p8_r16_c2_w8_f0_m1>(small_point(4, 8, 16, false), kHarsh), "");
}

DiseParams jittered(DiseParams params) {
  params.jitter = true;
  return params;
}

TEST(DiseRtl, EqualsTheReferenceWithJitter) {
  const DiseParams params = jittered(point(4, 2, 20, false));
  EXPECT_EQ(run<Vdise_l4_c2_w20_f0_j1>(params, {}), "");
  EXPECT_EQ(run<Vdise_l4_c2_w20_f0_j1>(params, kHarsh), "");
  EXPECT_EQ(run<Vdise_l2_c3_w8_f1_j1>(jittered(point(2, 3, 8, true)), {}), "");
}

// After a restore or a write the copies have their jitter one cycle late.
constexpr StreamRates kRestoring{90, 90, 20, 10};

TEST(DiseRtl, EqualsTheReferenceWithJitterInFewerStages) {
  for (const StreamRates& rates : {StreamRates(), kHarsh, kRestoring}) {
    EXPECT_EQ(run<Vdise_l4_p4_r16_c2_w8_f0_m0_t0_j1>(jittered(small_point(4, 4, 16, false)), rates),
              "");
    EXPECT_EQ(run<Vdise_l4_p8_r16_c2_w8_f0_m1_j1>(jittered(small_point(4, 8, 16, false)), rates),
              "");
  }
}

// The cycles from a bundle to its answer: the number of stages.
template <class V>
unsigned cycles_to_answer() {
  Clocked<V> block;
  V& top = block.top();
  top.we_i = top.inject_i = top.restore_i = top.resume_i = top.resume_done_i = 0;
  top.out_ready_i = 1;
  const DecodeLane lane;
  profiling::present(top, &lane, 1, 0);
  block.settle();
  unsigned cycles = 0;
  do {
    block.edge();
    top.valid_i = 0;
    block.settle();
    ++cycles;
  } while (top.out_valid_o == 0 && cycles < 20);
  return cycles;
}

TEST(DiseRtl, AnswersAfterItsStages) {
  EXPECT_EQ(cycles_to_answer<Vdise_l4_c2_w20_f0>(), 5u);
  EXPECT_EQ(cycles_to_answer<Vdise_l4_p8_r16_c2_w8_f0_m1>(), 4u);
  EXPECT_EQ(cycles_to_answer<Vdise_l4_p8_r32_c2_w8_f0_m1_t0>(), 3u);
  EXPECT_EQ(cycles_to_answer<Vdise_l2_p4_r16_c2_w8_f1_m0>(), 3u);
  EXPECT_EQ(cycles_to_answer<Vdise_l4_p4_r16_c2_w8_f0_m0_t0>(), 2u);
}

// Compares the decisions of the wrapper that the core uses.
template <class Rtl, class Reference>
std::string first_decision_that_differs(Rtl& rtl, Reference& reference, DiseTraffic& traffic,
                                        unsigned width, uint64_t bundles) {
  Random& random = traffic.random();
  const auto both = [&](uint32_t offset, uint64_t value) {
    rtl.write(offset, value);
    reference.write(offset, value);
  };
  std::vector<DecodeLane> lanes(width);
  for (uint64_t k = 0; k < bundles; ++k) {
    if (k % 500 == 0) traffic.program(both);
    if (chance(random, 1)) traffic.touch(both);
    for (DecodeLane& lane : lanes) lane = traffic.lane();
    const auto count = static_cast<unsigned>(1 + below(random, width));
    const auto slot = static_cast<uint8_t>(k % 32);
    const DecodeDecision a = rtl.decode(lanes.data(), count, slot);
    const DecodeDecision b = reference.decode(lanes.data(), count, slot);
    Difference difference;
    difference.check("consumed", a.consumed, b.consumed);
    difference.check("replaced", a.replaced, b.replaced);
    difference.check("entry", a.entry, b.entry);
    difference.check("in_burst", a.in_burst, b.in_burst);
    if (b.replaced) {
      const auto rtl_first = rtl.instantiate(lanes[b.consumed - 1], b.entry);
      const auto reference_first = reference.instantiate(lanes[b.consumed - 1], b.entry);
      difference.check("insn", rtl_first.insn, reference_first.insn);
      difference.check("value", rtl_first.value, reference_first.value);
    }
    if (chance(random, 5)) {
      const DecodeCheckpoint checkpoint{slot, static_cast<uint8_t>(below(random, b.consumed))};
      rtl.restore(checkpoint);
      reference.restore(checkpoint);
    }
    difference.check("burst", rtl.burst(), reference.burst());
    for (const uint32_t offset : {0x18u, 0x80u, 0x88u, 0x90u})
      difference.check("flags or counter", rtl.read(offset), reference.read(offset));
    if (!difference.text().empty()) return fmt::format("bundle {}: {}", k, difference.text());
  }
  return "";
}

TEST(DiseRtl, AnswersAsTheReferenceBehindTheSeam) {
  const DiseParams params = point(4, 2, 20, false);
  DiseModel<Vdise_l4_c2_w20_f0> rtl;
  DiseEngine reference(params);
  DiseTraffic traffic(params, bench_seed());
  EXPECT_EQ(first_decision_that_differs(rtl, reference, traffic, 4, bench_cycles() / 20), "");
}

// Decodes one lane at a time until one is replaced: what a bundle must equal.
class LaneByLane {
 public:
  DecodeDecision decode(const DecodeLane* lanes, unsigned count, uint8_t slot) {
    DecodeDecision all;
    for (unsigned k = 0; k < count && !all.replaced; ++k) {
      const DecodeDecision one = rtl_.decode(lanes + k, 1, static_cast<uint8_t>(slot % 8 * 4 + k));
      all.in_burst = static_cast<uint8_t>(all.in_burst | unsigned{one.in_burst} << k);
      ++all.consumed;
      all.replaced = one.replaced;
      all.entry = one.entry;
    }
    return all;
  }
  void restore(DecodeCheckpoint at) {
    rtl_.restore({static_cast<uint8_t>(at.slot % 8 * 4 + at.lane), 0});
  }
  InstantiatedInstruction instantiate(const DecodeLane& trigger, uint16_t entry) {
    return rtl_.instantiate(trigger, entry);
  }
  bool burst() { return rtl_.burst(); }
  uint64_t read(uint32_t offset) { return rtl_.read(offset); }
  void write(uint32_t offset, uint64_t value) { rtl_.write(offset, value); }

 private:
  DiseModel<Vdise_l1_c2_w20_f0> rtl_;
};

TEST(DiseRtl, FourLanesInACycleEqualFourCyclesOfOneLane) {
  const DiseParams params = point(4, 2, 20, false);
  DiseModel<Vdise_l4_c2_w20_f0> wide;
  LaneByLane narrow;
  DiseTraffic traffic(params, bench_seed());
  EXPECT_EQ(first_decision_that_differs(wide, narrow, traffic, 4, bench_cycles() / 40), "");
}

// The bench must see a fault: here the reference gets other parameters than the RTL.
std::string run_against(const DiseParams& told) {
  const DiseParams params = point(4, 2, 8, true);
  DiseModel<Vdise_l4_c2_w8_f1> rtl;
  DiseEngine reference(told);
  DiseTraffic traffic(params, bench_seed());
  return first_decision_that_differs(rtl, reference, traffic, 4, bench_cycles());
}

TEST(DiseRtl, IsToldApartFromFlagsBefore) { EXPECT_NE(run_against(point(4, 2, 8, false)), ""); }

TEST(DiseRtl, IsToldApartFromAWiderCounter) { EXPECT_NE(run_against(point(4, 2, 9, true)), ""); }

}  // namespace
}  // namespace strobe::tb
