// The stratified sampler's RTL against its reference.
#include "Vsampler_n16_c4.h"
#include "Vsampler_n1_c1.h"
#include "Vsampler_n2048_c8.h"
#include "tb/compare.h"
#include "tb/stratified_sampler_dut.h"

namespace strobe::tb {
namespace {

using profiling::StratifiedSampler;

// Phases of traffic: streaks of one tuple (the forwarding path), a hot set, or all different; a
// sink that stalls; a period that changes in mid-stream, also below counts already held, 0 and the
// largest included; quiet times in which the table is read.
class Traffic {
 public:
  Traffic(unsigned strata, unsigned counter_width, uint64_t seed)
      : strata_(strata), max_period_(1u << counter_width), random_(seed) {}

  StratifiedSampler::Inputs operator()(uint64_t) {
    if (left_-- == 0) {
      left_ = 1 + below(random_, 600);
      offer_ = below(random_, 3) == 0 ? 100 * below(random_, 2) : below(random_, 101);
      sink_ = below(random_, 3) == 0 ? 100 : below(random_, 101);
      kinds_ = below(random_, 3) == 0 ? 1 : below(random_, 2) == 0 ? 5 : 4 * strata_;
      index_ = static_cast<uint32_t>(below(random_, 2 * strata_));
    }
    if (below(random_, 300) == 0) {
      period_ = static_cast<uint32_t>(below(random_, 3) == 0 ? max_period_ * below(random_, 2)
                                                             : below(random_, max_period_ + 1));
    }
    StratifiedSampler::Inputs in;
    in.clear = below(random_, 20 * strata_ + 500) == 0;
    in.valid = chance(random_, offer_);
    const uint64_t pick = below(random_, kinds_);
    in.tuple = Tuple{0x10000 + 4 * pick, pick * 0x9E3779B97F4A7C15ull,
                     static_cast<uint8_t>(below(random_, 16))};
    in.period = period_;
    in.msg_ready = chance(random_, sink_);
    if (below(random_, 4) == 0) index_ = static_cast<uint32_t>(below(random_, strata_));
    in.table_index = index_;
    return in;
  }

 private:
  unsigned strata_, max_period_;
  Random random_;
  uint64_t left_ = 0, offer_ = 0, sink_ = 0, kinds_ = 1;
  uint32_t period_ = 2, index_ = 0;
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

template <class V, unsigned kStrata, unsigned kCounterWidth, class Mutate = Unchanged>
std::string run(Mutate mutate = {}) {
  StratifiedSamplerDut<V> rtl;
  StratifiedSampler reference(kStrata, kCounterWidth);
  return first_difference(rtl, reference, bench_cycles(),
                          Traffic(kStrata, kCounterWidth, bench_seed()), compare, mutate);
}

TEST(StratifiedSamplerRtl, EqualsTheReferenceAtThePapersPoint) {
  EXPECT_EQ((run<Vsampler_n2048_c8, 2048, 8>()), "");
}

TEST(StratifiedSamplerRtl, EqualsTheReferenceWithSixteenStrataOfFourBits) {
  EXPECT_EQ((run<Vsampler_n16_c4, 16, 4>()), "");
}

TEST(StratifiedSamplerRtl, EqualsTheReferenceWithOneStratumOfOneBit) {
  EXPECT_EQ((run<Vsampler_n1_c1, 1, 1>()), "");
}

TEST(StratifiedSamplerRtl, IsToldApartFromAPeriodOneLonger) {
  const auto longer = [](StratifiedSampler::Inputs& in, uint64_t) {
    if (in.period > 1 && in.period < 16) ++in.period;
  };
  EXPECT_NE((run<Vsampler_n16_c4, 16, 4>(longer)), "");
}

TEST(StratifiedSamplerRtl, IsToldApartFromAnotherHash) {
  const auto other_hash = [](StratifiedSampler::Inputs& in, uint64_t cycle) {
    if (cycle >= 5000) in.tuple.value ^= in.tuple.pc << 7;
  };
  EXPECT_NE((run<Vsampler_n2048_c8, 2048, 8>(other_hash)), "");
}

}  // namespace
}  // namespace strobe::tb
