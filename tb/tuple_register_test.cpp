// The tuple register's RTL against its reference.
#include "sc_models/profiling/reference/tuple_register.h"

#include "tb/clocked.h"
#include "tb/compare.h"
#include "tb/tuple_lanes.h"
#include "tuple_register_points.h"

namespace strobe::tb {
namespace {

using profiling::TupleRegister;

template <class V, unsigned kHeads>
class TupleRegisterDut {
 public:
  using Inputs = TupleRegister::Inputs;
  using Outputs = TupleRegister::Outputs;

  Outputs step(const Inputs& in) {
    V& top = block_.top();
    set_tuples(top, kHeads, in.valid, in.tuple);
    top.clear_i = in.clear;
    top.ready_i = in.ready;
    block_.settle();
    Outputs out;
    out.ready = top.ready_o != 0;
    get_tuples(top, kHeads, out.valid, out.tuple);
    block_.edge();
    return out;
  }

 private:
  Clocked<V> block_;
};

// Groups of every size, with rates of their own in each phase.
class Groups {
 public:
  Groups(unsigned heads, uint64_t seed) : heads_(heads), random_(seed) {}

  TupleRegister::Inputs operator()(uint64_t) {
    if (left_-- == 0) {
      left_ = 1 + below(random_, 60);
      arrival_ = below(random_, 101);
      ready_ = below(random_, 101);
    }
    TupleRegister::Inputs in;
    in.clear = below(random_, 300) == 0;
    in.ready = chance(random_, ready_);
    const uint64_t count = chance(random_, arrival_) ? 1 + below(random_, heads_) : 0;
    for (unsigned k = 0; k < heads_; ++k) {
      in.valid[k] = k < count;
      in.tuple[k] = Tuple{random_(), random_(), static_cast<uint8_t>(below(random_, 16))};
    }
    return in;
  }

 private:
  unsigned heads_;
  Random random_;
  uint64_t left_ = 0, arrival_ = 0, ready_ = 0;
};

void compare(const TupleRegister::Outputs& rtl, const TupleRegister::Outputs& reference,
             Difference& d) {
  d.check("ready", rtl.ready, reference.ready);
  for (unsigned k = 0; k < kMaxRetireWidth; ++k) {
    d.check("valid", rtl.valid[k], reference.valid[k]);
    d.check_tuple("tuple", rtl.tuple[k], reference.tuple[k]);
  }
}

template <class V, unsigned kHeads, class Mutate = Unchanged>
std::string run(Mutate mutate = {}) {
  TupleRegisterDut<V, kHeads> rtl;
  TupleRegister reference;
  return first_difference(rtl, reference, bench_cycles(), Groups(kHeads, bench_seed()), compare,
                          mutate);
}

#define STROBE_EQUALS(model, ...)                      \
  TEST(TupleRegisterRtl, EqualsTheReference_##model) { \
    EXPECT_EQ((run<V##model, __VA_ARGS__>()), "");     \
  }
STROBE_POINTS_tuple_register(STROBE_EQUALS)

    TEST(TupleRegisterRtl, IsToldApartWhenOneGroupIsHeldTooLong) {
  const auto hold = [](TupleRegister::Inputs& in, uint64_t cycle) {
    if (cycle % 500 == 499) in.ready = false;
  };
  EXPECT_NE((run<Vtuple_register_h4, 4>(hold)), "");
}

}  // namespace
}  // namespace strobe::tb
