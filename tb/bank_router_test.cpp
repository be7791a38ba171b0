// The bank router's and the message merge's RTL against their references.
#include "merge_points.h"
#include "router_points.h"
#include "tb/common/compare.h"
#include "tb/dut/bank_router_dut.h"

namespace strobe::tb {
namespace {

using profiling::BankRouter;
using profiling::kMaxBanks;
using profiling::MessageMerge;

Tuple random_tuple(Random& random) {
  return Tuple{random(), random(), static_cast<uint8_t>(below(random, 16))};
}

// Phases with all indices spread, all in one bank, and with banks that are rarely ready.
class Groups {
 public:
  Groups(unsigned lanes, unsigned banks, uint64_t indices, uint64_t seed)
      : lanes_(lanes), banks_(banks), indices_(indices), random_(seed) {}

  BankRouter::Inputs operator()(uint64_t) {
    if (left_-- == 0) {
      left_ = 1 + below(random_, 100);
      arrival_ = below(random_, 101);
      ready_ = below(random_, 3) == 0 ? 100 : below(random_, 101);
      one_bank_ = below(random_, 3) == 0;
    }
    BankRouter::Inputs in;
    in.clear = below(random_, 500) == 0;
    for (unsigned k = 0; k < lanes_; ++k) {
      in.valid[k] = chance(random_, arrival_);
      in.tuple[k] = random_tuple(random_);
      in.index[k] = static_cast<uint16_t>(below(random_, indices_));
      if (one_bank_) in.index[k] = static_cast<uint16_t>(in.index[k] & ~(banks_ - 1));
    }
    for (unsigned b = 0; b < banks_; ++b) in.ready[b] = chance(random_, ready_);
    return in;
  }

 private:
  unsigned lanes_, banks_;
  uint64_t indices_;
  Random random_;
  uint64_t left_ = 0, arrival_ = 0, ready_ = 0;
  bool one_bank_ = false;
};

void compare(const BankRouter::Outputs& rtl, const BankRouter::Outputs& reference, Difference& d) {
  d.check("ready", rtl.ready, reference.ready);
  d.check("idle", rtl.idle, reference.idle);
  for (unsigned b = 0; b < kMaxBanks; ++b) {
    d.check("valid", rtl.valid[b], reference.valid[b]);
    d.check_tuple("tuple", rtl.tuple[b], reference.tuple[b]);
    d.check("row", rtl.row[b], reference.row[b]);
  }
}

template <class V, unsigned kLanes, unsigned kBanks, unsigned kRowBits, class Mutate = Unchanged>
std::string route(Mutate mutate = {}) {
  BankRouterDut<V, kLanes, kBanks> rtl;
  BankRouter reference(kLanes, kBanks);
  return first_difference(rtl, reference, bench_cycles(),
                          Groups(kLanes, kBanks, kBanks << kRowBits, bench_seed()), compare,
                          mutate);
}

#define STROBE_ROUTES(model, ...)                    \
  TEST(BankRouterRtl, EqualsTheReference_##model) {  \
    EXPECT_EQ((route<V##model, __VA_ARGS__>()), ""); \
  }
STROBE_POINTS_router(STROBE_ROUTES)

    TEST(BankRouterRtl, IsToldApartWhenOneTupleChangesItsBank) {
  const auto move_one = [](BankRouter::Inputs& in, uint64_t cycle) {
    if (cycle % 500 == 499) in.index[1] ^= 1;
  };
  EXPECT_NE((route<Vrouter_l4_b4, 4, 4, 9>(move_one)), "");
}

class Messages {
 public:
  Messages(unsigned banks, unsigned count_width, uint64_t seed)
      : banks_(banks), count_width_(count_width), random_(seed) {}

  MessageMerge::Inputs operator()(uint64_t) {
    if (left_-- == 0) {
      left_ = 1 + below(random_, 60);
      arrival_ = below(random_, 101);
      ready_ = below(random_, 101);
    }
    MessageMerge::Inputs in;
    in.clear = below(random_, 500) == 0;
    in.ready = chance(random_, ready_);
    for (unsigned b = 0; b < banks_; ++b) {
      in.valid[b] = chance(random_, arrival_);
      in.message[b].tuple = random_tuple(random_);
      in.message[b].count = static_cast<uint32_t>(random_() & ((uint64_t{1} << count_width_) - 1));
    }
    return in;
  }

 private:
  unsigned banks_, count_width_;
  Random random_;
  uint64_t left_ = 0, arrival_ = 0, ready_ = 0;
};

void compare_merge(const MessageMerge::Outputs& rtl, const MessageMerge::Outputs& reference,
                   Difference& d) {
  d.check("valid", rtl.valid, reference.valid);
  d.check_tuple("tuple", rtl.message.tuple, reference.message.tuple);
  d.check("count", rtl.message.count, reference.message.count);
  for (unsigned b = 0; b < kMaxBanks; ++b) d.check("ready", rtl.ready[b], reference.ready[b]);
}

template <class V, unsigned kBanks, unsigned kCountWidth, class Mutate = Unchanged>
std::string merge(Mutate mutate = {}) {
  MessageMergeDut<V, kBanks, kCountWidth> rtl;
  MessageMerge reference(kBanks);
  return first_difference(rtl, reference, bench_cycles(),
                          Messages(kBanks, kCountWidth, bench_seed()), compare_merge, mutate);
}

#define STROBE_MERGES(model, ...)                     \
  TEST(MessageMergeRtl, EqualsTheReference_##model) { \
    EXPECT_EQ((merge<V##model, __VA_ARGS__>()), "");  \
  }
STROBE_POINTS_merge(STROBE_MERGES)

    TEST(MessageMergeRtl, IsToldApartWhenATurnIsMissed) {
  const auto hold = [](MessageMerge::Inputs& in, uint64_t cycle) {
    if (cycle % 500 == 499) in.ready = false;
  };
  EXPECT_NE((merge<Vmerge_b4, 4, 9>(hold)), "");
}

}  // namespace
}  // namespace strobe::tb
