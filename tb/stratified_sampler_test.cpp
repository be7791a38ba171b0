// The stratified samplers' RTL against their reference.
#include "sampler_points.h"
#include "sc_models/profiling/reference/common/lfsr.h"
#include "tb/common/compare.h"
#include "tb/dut/stratified_sampler_dut.h"

namespace strobe::tb {
namespace {

using profiling::HashKind;
using profiling::SamplerKind;
using profiling::SamplerParams;
using profiling::StratifiedSampler;

struct Inputs : StratifiedSampler::Inputs {
  bool reset = false;  // before the cycle
};

template <class V>
struct Rtl : StratifiedSamplerDut<V> {
  StratifiedSampler::Outputs step(const Inputs& in) {
    if (in.reset) this->reset();
    return StratifiedSamplerDut<V>::step(in);
  }
};

struct Reference {
  explicit Reference(const SamplerParams& params) : sampler(params) {}
  StratifiedSampler::Outputs step(const Inputs& in) {
    if (in.reset) sampler = StratifiedSampler(sampler.counters().params());
    return sampler.step(in);
  }
  StratifiedSampler sampler;
};

// Phases of traffic: streaks of one tuple (the forwarding path), a hot set, or all tuples
// different; a sink that stalls; a period and a threshold that change in mid-stream, also below
// counts already held, with 0 and the maximum and with a threshold that draws nothing, so that
// counters fill up; resets and clears with a tuple in every stage; quiet times in which the table
// is read.
class Traffic {
 public:
  Traffic(const SamplerParams& params, uint64_t seed)
      : strata_(params.strata), max_period_(params.max_period()), random_(seed) {}

  Inputs operator()(uint64_t) {
    if (left_-- == 0) {
      left_ = 1 + below(random_, 600);
      offer_ = below(random_, 3) == 0 ? 100 * below(random_, 2) : below(random_, 101);
      sink_ = below(random_, 3) == 0 ? 100 : below(random_, 101);
      kinds_ = below(random_, 3) == 0 ? 1 : below(random_, 2) == 0 ? 5 : 4 * strata_;
      index_ = static_cast<uint32_t>(below(random_, 2 * strata_));
    }
    if (below(random_, 300) == 0) change_rate();
    Inputs in;
    in.reset = below(random_, 50 * strata_ + 5000) == 0;
    in.clear = below(random_, 20 * strata_ + 500) == 0;
    in.seed = below(random_, 4) == 0 ? below(random_, 3) : random_();
    in.valid = chance(random_, offer_);
    const uint64_t pick = below(random_, kinds_);
    in.tuple = Tuple{0x10000 + 4 * pick, pick * 0x9E3779B97F4A7C15ull,
                     static_cast<uint8_t>(below(random_, 16))};
    in.rate = rate_;
    in.msg_ready = chance(random_, sink_);
    if (below(random_, 4) == 0) index_ = static_cast<uint32_t>(below(random_, strata_));
    in.table_index = index_;
    return in;
  }

 private:
  void change_rate() {
    rate_.period = static_cast<uint32_t>(below(random_, 3) == 0 ? max_period_ * below(random_, 2)
                                                                : below(random_, max_period_ + 1));
    const uint32_t thresholds[] = {0, UINT32_MAX, profiling::sampling_threshold(rate_.r()),
                                   static_cast<uint32_t>(random_())};
    rate_.threshold = thresholds[below(random_, 4)];
  }

  unsigned strata_;
  uint32_t max_period_;
  Random random_;
  uint64_t left_ = 0, offer_ = 0, sink_ = 0, kinds_ = 1;
  profiling::SamplingRate rate_{1, UINT32_MAX};
  uint32_t index_ = 0;
};

void compare(const StratifiedSampler::Outputs& rtl, const StratifiedSampler::Outputs& reference,
             Difference& d) {
  d.check("ready", rtl.ready, reference.ready);
  d.check("msg_valid", rtl.msg_valid, reference.msg_valid);
  d.check_tuple("message", rtl.message.tuple, reference.message.tuple);
  d.check("message.count", rtl.message.count, reference.message.count);
  d.check("init", rtl.init, reference.init);
  d.check("idle", rtl.idle, reference.idle);
  d.check("table_data", rtl.table_data, reference.table_data);
}

template <class V, class Mutate = Unchanged>
std::string run(const SamplerParams& params, Mutate mutate = {}) {
  Rtl<V> rtl;
  Reference reference(params);
  return first_difference(rtl, reference, bench_cycles(), Traffic(params, bench_seed()), compare,
                          mutate);
}

struct Point {
  SamplerParams params;
  std::string (*run)(const SamplerParams&, Unchanged);
};

class SamplerRtl : public testing::TestWithParam<Point> {};

TEST_P(SamplerRtl, EqualsTheReference) { EXPECT_EQ(GetParam().run(GetParam().params, {}), ""); }

#define STROBE_POINT(model, kind, hash, strata, width) \
  {{static_cast<SamplerKind>(kind), static_cast<HashKind>(hash), strata, width}, run<V##model>},
constexpr Point kPoints[] = {STROBE_POINTS_sampler(STROBE_POINT)};
#undef STROBE_POINT
INSTANTIATE_TEST_SUITE_P(Points, SamplerRtl, testing::ValuesIn(kPoints),
                         [](const testing::TestParamInfo<Point>& point) {
                           const SamplerParams& params = point.param.params;
                           return fmt::format(
                               "{}_{}_n{}_c{}",
                               profiling::kSamplerNames[static_cast<size_t>(params.kind)],
                               profiling::kHashNames[static_cast<size_t>(params.hash)],
                               params.strata, params.counter_width);
                         });

constexpr SamplerParams kPeriodic16{SamplerKind::kPeriodic, HashKind::kPaper, 16, 4};
constexpr SamplerParams kRandom{SamplerKind::kRandom, HashKind::kPaper, 2048, 8};
constexpr SamplerParams kCountdown16{SamplerKind::kCountdown, HashKind::kH3, 16, 4};
constexpr SamplerParams kCounted16{SamplerKind::kCountedRandom, HashKind::kCrc32c, 16, 3};

// Random traffic draws a number equal to the threshold once in 2^32 tuples.
TEST(SamplerRtlDraws, ANumberUpToTheThreshold) {
  constexpr uint64_t kSeed = 5;
  const uint32_t number = profiling::Lfsr(kSeed).number();
  for (const uint32_t threshold : {number - 1, number, number + 1}) {
    Rtl<Vsampler_s1_h3_n4_c1> rtl;
    Inputs in;
    in.seed = kSeed;
    in.rate = {1, threshold};
    in.msg_ready = true;
    in.clear = true;
    rtl.step(in);
    in.clear = false;
    for (unsigned wait = 0; wait < 8 && !rtl.step(in).ready; ++wait) {
    }
    in.valid = true;
    rtl.step(in);
    in.valid = false;
    bool drawn = false;
    for (unsigned stage = 0; stage < 4; ++stage) drawn |= rtl.step(in).msg_valid;
    EXPECT_EQ(drawn, number <= threshold) << threshold - number;
  }
}

TEST(SamplerRtlDiffers, FromAPeriodOneLonger) {
  const auto longer = [](Inputs& in, uint64_t) {
    if (in.rate.period > 1 && in.rate.period < 8) ++in.rate.period;
  };
  EXPECT_NE(run<Vsampler_s0_h0_n16_c4>(kPeriodic16, longer), "");
  EXPECT_NE(run<Vsampler_s2_h3_n16_c4>(kCountdown16, longer), "");
}

TEST(SamplerRtlDiffers, FromAnotherHash) {
  const auto other_hash = [](Inputs& in, uint64_t cycle) {
    if (cycle >= 5000) in.tuple.value ^= in.tuple.pc << 7;
  };
  constexpr SamplerParams params{SamplerKind::kPeriodic, HashKind::kPaper, 2048, 8};
  EXPECT_NE(run<Vsampler_s0_h0_n2048_c8>(params, other_hash), "");
}

TEST(SamplerRtlDiffers, FromAnotherThreshold) {
  const auto other_threshold = [](Inputs& in, uint64_t) { in.rate.threshold ^= 1u << 30; };
  EXPECT_NE(run<Vsampler_s1_h0_n2048_c8>(kRandom, other_threshold), "");
  EXPECT_NE(run<Vsampler_s3_h2_n16_c3>(kCounted16, other_threshold), "");
}

TEST(SamplerRtlDiffers, FromAnotherSeed) {
  const auto other_seed = [](Inputs& in, uint64_t) { in.seed ^= uint64_t{1} << 62; };
  EXPECT_NE(run<Vsampler_s1_h0_n2048_c8>(kRandom, other_seed), "");
  EXPECT_NE(run<Vsampler_s2_h3_n16_c4>(kCountdown16, other_seed), "");
  EXPECT_NE(run<Vsampler_s3_h2_n16_c3>(kCounted16, other_seed), "");
}

TEST(SamplerRtlDiffers, FromACounterThatFillsOneTupleLater) {
  Rtl<Vsampler_s3_h2_n16_c3> rtl;
  SamplerParams wider = kCounted16;
  wider.counter_width = 4;
  Reference reference(wider);
  EXPECT_NE(first_difference(rtl, reference, bench_cycles(), Traffic(kCounted16, bench_seed()),
                             compare, Unchanged{}),
            "");
}

}  // namespace
}  // namespace strobe::tb
