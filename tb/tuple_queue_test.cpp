// The tuple queue's RTL against its reference.
#include "queue_points.h"
#include "tb/common/compare.h"
#include "tb/dut/tuple_queue_dut.h"

namespace strobe::tb {
namespace {

using profiling::TupleQueue;

// Bursts and droughts: each phase has its own arrival and departure rates, so the queue is full,
// empty and at every level between. A deep queue gets enough time to fill.
class Traffic {
 public:
  Traffic(unsigned lanes, unsigned depth, uint64_t seed)
      : lanes_(lanes), depth_(depth), random_(seed) {}

  TupleQueue::Inputs operator()(uint64_t) {
    if (left_-- == 0) {
      left_ = 1 + below(random_, 150 + depth_);
      arrival_ = below(random_, 4) == 0 ? 100 * below(random_, 2) : below(random_, 101);
      one_ = chance(random_, 30);
      departure_ = below(random_, 4) == 0 ? 100 * below(random_, 2) : below(random_, 101);
    }
    TupleQueue::Inputs in;
    in.clear = below(random_, 700 + 8 * depth_) == 0;
    in.ready = chance(random_, departure_);
    const uint64_t only = below(random_, lanes_);
    for (unsigned k = 0; k < lanes_; ++k) {
      in.valid[k] = (!one_ || k == only) && chance(random_, arrival_);
      in.tuple[k] = Tuple{random_(), random_(), static_cast<uint8_t>(below(random_, 16))};
    }
    return in;
  }

 private:
  unsigned lanes_, depth_;
  Random random_;
  uint64_t left_ = 0, arrival_ = 0, departure_ = 0;
  bool one_ = false;  // at most one tuple in a row
};

void compare(const TupleQueue::Outputs& rtl, const TupleQueue::Outputs& reference, Difference& d) {
  for (unsigned h = 0; h < kMaxRetireWidth; ++h) {
    d.check(fmt::format("valid[{}]", h).c_str(), rtl.valid[h], reference.valid[h]);
    d.check_tuple(fmt::format("head[{}]", h).c_str(), rtl.head[h], reference.head[h]);
    d.check(fmt::format("arrived[{}]", h).c_str(), rtl.arrived[h], reference.arrived[h]);
  }
  d.check("empty", rtl.empty, reference.empty);
  d.check("drop", rtl.drop, reference.drop);
  d.check("dropped", rtl.dropped, reference.dropped);
}

template <class V, unsigned kLanes, unsigned kDepth, unsigned kHeads = 1, class Mutate = Unchanged>
std::string run(Mutate mutate = {}) {
  TupleQueueDut<V, kLanes, kHeads> rtl;
  TupleQueue reference(kLanes, kDepth, kHeads);
  return first_difference(rtl, reference, bench_cycles(), Traffic(kLanes, kDepth, bench_seed()),
                          compare, mutate);
}

#define STROBE_EQUALS(model, ...) \
  TEST(TupleQueueRtl, EqualsTheReference_##model) { EXPECT_EQ((run<V##model, __VA_ARGS__>()), ""); }
STROBE_POINTS_queue(STROBE_EQUALS)

    TEST(TupleQueueRtl, IsToldApartFromAQueueThatMissesOneTuple) {
  const auto lose_one = [](TupleQueue::Inputs& in, uint64_t cycle) {
    if (cycle >= 1000) in.valid[2] = in.valid[2] && cycle % 1000 != 0;
  };
  EXPECT_NE((run<Vqueue_l4_d128, 4, 128, 1>(lose_one)), "");
}

}  // namespace
}  // namespace strobe::tb
