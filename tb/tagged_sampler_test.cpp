// The tagged sampler's RTL against its reference.
#include <vector>

#include "tagged_points.h"
#include "tb/common/compare.h"
#include "tb/dut/tagged_sampler_dut.h"

namespace strobe::tb {
namespace {

using profiling::TaggedCounters;
using profiling::TaggedSampler;
using profiling::TaggedShape;
using profiling::TaggedThresholds;

template <class V, unsigned kStrata, unsigned kWays, unsigned kTag, unsigned kHit, unsigned kMiss>
struct Point {
  using Dut = TaggedSamplerDut<V>;
  static constexpr TaggedShape kShape{kStrata, kWays, kTag, kHit, kMiss};
};

// Phases of traffic: streaks of one tuple, a few tuples of two sets (the forwarding path and every
// conflict), or tuples of all sets; a sink that stalls; thresholds that are the paper's, small, or
// change in mid-stream below counts already held, with 0 and values above the counters; quiet times
// in which the table is read.
class Traffic {
 public:
  Traffic(const TaggedShape& shape, uint64_t seed) : shape_(shape), random_(seed) {
    const TaggedCounters counters(shape);
    const uint32_t home = counters.set_of(any_tuple());
    while (rivals_.size() < 24) {
      const Tuple tuple = any_tuple();
      const uint32_t set = counters.set_of(tuple);
      if (set == home || set == (home ^ 1)) rivals_.push_back(tuple);
    }
  }

  TaggedSampler::Inputs operator()(uint64_t) {
    if (left_-- == 0) new_phase();
    if (below(random_, 400) == 0) change_thresholds();
    TaggedSampler::Inputs in;
    in.clear = below(random_, 20 * shape_.strata + 2000) == 0;
    in.valid = chance(random_, offer_);
    if (!chance(random_, again_)) {
      tuple_ = kinds_ > rivals_.size() ? any_tuple() : rivals_[below(random_, kinds_)];
    }
    in.tuple = tuple_;
    in.tuple.tag = static_cast<uint8_t>(below(random_, 16));
    in.thresholds = thresholds_;
    in.msg_ready = chance(random_, sink_);
    if (below(random_, 4) == 0) index_ = static_cast<uint32_t>(below(random_, 2 * shape_.strata));
    in.table_index = index_;
    return in;
  }

 private:
  Tuple any_tuple() { return Tuple{below(random_, 1u << 20) * 2, random_(), 0}; }
  void new_phase() {
    left_ = 1 + below(random_, 1500);
    offer_ = below(random_, 3) == 0 ? 100 * below(random_, 2) : below(random_, 101);
    sink_ = below(random_, 3) == 0 ? 100 : below(random_, 101);
    const uint64_t kinds[] = {1, 2, 3, 5, 9, rivals_.size(), rivals_.size() + 1};
    kinds_ = kinds[below(random_, 7)];
    again_ = below(random_, 2) == 0 ? 0 : below(random_, 100);
  }
  void change_thresholds() {
    const uint32_t hits = 1u << shape_.hit_width, misses = 1u << shape_.miss_width;
    switch (below(random_, 4)) {
      case 0:
        thresholds_ = TaggedThresholds{hits, hits / 2, misses};
        break;
      case 1:
        thresholds_ = TaggedThresholds{any(20), any(20), any(5)};
        break;
      case 2:
        thresholds_ = TaggedThresholds{any(8191), any(8191), any(8191)};
        break;
      default:
        thresholds_ = TaggedThresholds{any(hits + 1), any(hits + 1), any(misses + 1)};
    }
  }
  uint32_t any(uint32_t most) { return static_cast<uint32_t>(below(random_, most + 1)); }

  TaggedShape shape_;
  Random random_;
  std::vector<Tuple> rivals_;
  uint64_t left_ = 0, offer_ = 0, sink_ = 0, kinds_ = 1, again_ = 0;
  Tuple tuple_;
  TaggedThresholds thresholds_;
  uint32_t index_ = 0;
};

void compare(const TaggedSampler::Outputs& rtl, const TaggedSampler::Outputs& reference,
             Difference& d) {
  d.check("ready", rtl.ready, reference.ready);
  d.check("msg_valid", rtl.msg_valid, reference.msg_valid);
  d.check_tuple("message", rtl.message.tuple, reference.message.tuple);
  d.check("message.count", rtl.message.count, reference.message.count);
  d.check("init", rtl.init, reference.init);
  d.check("idle", rtl.idle, reference.idle);
  d.check("table_data", rtl.table_data, reference.table_data);
}

template <class P, class Mutate = Unchanged>
std::string run(TaggedSampler& reference, Mutate mutate = {}) {
  typename P::Dut rtl;
  return first_difference(rtl, reference, bench_cycles(), Traffic(P::kShape, bench_seed()), compare,
                          mutate);
}

template <class P>
class TaggedSamplerRtl : public testing::Test {};
using PaperPoint = Point<Vtagged_n2048_w2_t2_h8_m3, 2048, 2, 2, 8, 3>;
using SmallPoint = Point<Vtagged_n16_w2_t4_h5_m3, 16, 2, 4, 5, 3>;
#define STROBE_POINT(model, strata, ways, tag_bits, hit_width, miss_width) \
  , Point<V##model, strata, ways, tag_bits, hit_width, miss_width>
using Points = Types<void STROBE_POINTS_tagged(STROBE_POINT)>;
#undef STROBE_POINT
struct PointName {
  template <class P>
  static std::string GetName(int) {
    return fmt::format("n{}w{}t{}h{}m{}", P::kShape.strata, P::kShape.ways, P::kShape.tag_bits,
                       P::kShape.hit_width, P::kShape.miss_width);
  }
};
TYPED_TEST_SUITE(TaggedSamplerRtl, Points, PointName);

TYPED_TEST(TaggedSamplerRtl, EqualsTheReferenceAndTakesEveryTransition) {
  constexpr TaggedShape kShape = TypeParam::kShape;
  TaggedSampler reference(kShape);
  ASSERT_EQ(run<TypeParam>(reference), "");
  const char* const names[] = {"E1", "E2", "E3", "E4", "E5", "E5a", "E6", "E6a"};
  for (unsigned t = 0; t < TaggedCounters::kTransitions; ++t) {
    const bool misses = t == TaggedCounters::kE4 || t == TaggedCounters::kE5 ||
                        t == TaggedCounters::kE5a || t == TaggedCounters::kE6 ||
                        t == TaggedCounters::kE6a;
    const bool hits_again = t == TaggedCounters::kE3 || t == TaggedCounters::kE6a;
    // A counter of one bit is full at the second hit and saturated at the first miss; a set with a
    // way for each tag never misses.
    const bool impossible = (hits_again && kShape.hit_width == 1) ||
                            (t == TaggedCounters::kE5a && kShape.miss_width == 1) ||
                            (misses && kShape.ways >= (1u << kShape.tag_bits));
    const uint64_t taken = reference.counters().taken()[t];
    EXPECT_EQ(taken == 0, impossible) << names[t];
  }
}

// Through the ports alone: every tuple that went in is in a message or is read out of the table,
// and a message has a tuple that went in.
TYPED_TEST(TaggedSamplerRtl, LosesNoCount) {
  constexpr TaggedShape kShape = TypeParam::kShape;
  typename TypeParam::Dut rtl;
  Traffic traffic(kShape, bench_seed() + 1);
  int64_t open = 0;
  const auto step = [&](const TaggedSampler::Inputs& in) {
    const TaggedSampler::Outputs out = rtl.step(in);
    if (in.clear) {
      open = 0;
    } else {
      if (in.valid && out.ready) ++open;
      if (out.msg_valid && in.msg_ready) open -= out.message.count;
    }
    return out;
  };
  TaggedSampler::Inputs drain;
  drain.msg_ready = true;
  for (int round = 0; round < 10; ++round) {
    while (step(drain).init) {
    }
    for (int cycle = 0; cycle < 5000; ++cycle) step(traffic(0));
    if (round == 5) {  // a reset in mid-stream; then as at the start
      rtl.reset();
      open = 0;
    }
    while (!step(drain).idle) {
    }
    int64_t held = 0;
    for (unsigned index = 0; index < kShape.strata; ++index) {
      drain.table_index = index;
      step(drain);
      step(drain);
      held += step(drain).table_data;
    }
    ASSERT_EQ(open, held) << "round " << round;
  }
}

TEST(TaggedSamplerBench, SeesEachThresholdOneLarger) {
  TaggedSampler hits(SmallPoint::kShape), evict(SmallPoint::kShape), replace(SmallPoint::kShape);
  EXPECT_NE(run<SmallPoint>(hits, [](auto& in, uint64_t) { ++in.thresholds.period; }), "");
  EXPECT_NE(run<SmallPoint>(evict, [](auto& in, uint64_t) { ++in.thresholds.should_evict; }), "");
  EXPECT_NE(run<SmallPoint>(replace, [](auto& in, uint64_t) { ++in.thresholds.should_replace; }),
            "");
}

TEST(TaggedSamplerBench, SeesAnotherShape) {
  TaggedShape tag = PaperPoint::kShape, ways = PaperPoint::kShape, misses = PaperPoint::kShape;
  tag.tag_bits = 3;
  ways.ways = 1;
  misses.miss_width = 4;
  for (const TaggedShape& shape : {tag, ways, misses}) {
    TaggedSampler reference(shape);
    EXPECT_NE(run<PaperPoint>(reference), "");
  }
}

}  // namespace
}  // namespace strobe::tb
