// The selector's RTL against its reference.
#include "selector_points.h"
#include "tb/common/compare.h"
#include "tb/common/retire_traffic.h"
#include "tb/dut/selector_dut.h"

namespace strobe::tb {
namespace {

using profiling::Selector;

// Slots are rewritten every few cycles; pcs are drawn next to the bounds of one of them.
class Traffic {
 public:
  Traffic(unsigned lanes, unsigned slots, uint64_t seed)
      : lanes_(lanes), slots_(slots), random_(seed) {}

  Selector::Inputs operator()(uint64_t) {
    if (below(random_, 20) == 0) program(in_.slots[below(random_, slots_)]);
    in_.clear = below(random_, 50) == 0;
    in_.enable = !chance(random_, 3);
    in_.lanes = lanes_;
    const uint64_t valid = 100 - below(random_, 2) * 60;
    for (unsigned k = 0; k < lanes_; ++k) {
      const profiling::SelectorSlot& slot = in_.slots[below(random_, slots_)];
      in_.lane[k] = random_lane(random_, valid, chance(random_, 50) ? slot.pc_lo : slot.pc_hi);
    }
    return in_;
  }

 private:
  void program(profiling::SelectorSlot& slot) {
    slot.enable = !chance(random_, 10);
    slot.kind = static_cast<uint8_t>(below(random_, 4));
    slot.user = chance(random_, 70);
    slot.supervisor = chance(random_, 70);
    slot.machine = chance(random_, 70);
    slot.marked = chance(random_, 30);
    slot.in_burst = chance(random_, 30);
    slot.prediction = static_cast<uint8_t>(chance(random_, 50) ? 0 : below(random_, 4));
    slot.tag = static_cast<uint8_t>(below(random_, 16));
    slot.opclass = static_cast<uint16_t>(chance(random_, 30) ? 0xffff : random_());
    slot.pc_lo = chance(random_, 30) ? 0 : random_() >> below(random_, 64);
    slot.pc_hi =
        chance(random_, 30) ? ~uint64_t{0} : slot.pc_lo + (random_() >> 1 >> below(random_, 63));
  }

  unsigned lanes_, slots_;
  Random random_;
  Selector::Inputs in_;
};

constexpr const char* kValid[] = {"valid[0]", "valid[1]", "valid[2]", "valid[3]",
                                  "valid[4]", "valid[5]", "valid[6]", "valid[7]"};
constexpr const char* kTuple[] = {"tuple[0]", "tuple[1]", "tuple[2]", "tuple[3]",
                                  "tuple[4]", "tuple[5]", "tuple[6]", "tuple[7]"};

void compare(const Selector::Outputs& rtl, const Selector::Outputs& reference, Difference& d) {
  for (unsigned k = 0; k < kMaxRetireWidth; ++k) {
    d.check(kValid[k], rtl.valid[k], reference.valid[k]);
    d.check_tuple(kTuple[k], rtl.tuple[k], reference.tuple[k]);
  }
}

template <class V, unsigned kLanes, unsigned kSlots, unsigned kPcWidth = 64,
          unsigned kValueWidth = 64, class Mutate = Unchanged>
std::string run(Mutate mutate = {}) {
  SelectorDut<V, kLanes, kSlots, kPcWidth, kValueWidth> rtl;
  Selector reference(kSlots, kPcWidth, kValueWidth);
  return first_difference(rtl, reference, bench_cycles(), Traffic(kLanes, kSlots, bench_seed()),
                          compare, mutate);
}

#define STROBE_EQUALS(model, ...) \
  TEST(SelectorRtl, EqualsTheReference_##model) { EXPECT_EQ((run<V##model, __VA_ARGS__>()), ""); }
STROBE_POINTS_selector(STROBE_EQUALS)

    TEST(SelectorRtl, IsToldApartFromABoundThatIsOneOff) {
  const auto one_off = [](Selector::Inputs& in, uint64_t) { in.slots[0].pc_hi -= 1; };
  EXPECT_NE((run<Vselector_l4_s2, 4, 2>(one_off)), "");
}

TEST(SelectorRtl, IsToldApartFromASlotThatForgetsSupervisorMode) {
  const auto forget = [](Selector::Inputs& in, uint64_t) { in.slots[0].supervisor = false; };
  EXPECT_NE((run<Vselector_l4_s2, 4, 2>(forget)), "");
}

TEST(SelectorRtl, IsToldApartFromASlotThatForgetsItsMarker) {
  const auto forget = [](Selector::Inputs& in, uint64_t) { in.slots[0].marked = false; };
  EXPECT_NE((run<Vselector_l4_s2, 4, 2>(forget)), "");
}

TEST(SelectorRtl, IsToldApartFromASlotThatForgetsTheBurst) {
  const auto forget = [](Selector::Inputs& in, uint64_t) { in.slots[0].in_burst = false; };
  EXPECT_NE((run<Vselector_l4_s2, 4, 2>(forget)), "");
}

TEST(SelectorRtl, IsToldApartFromAnInstructionThatIsInNoBurst) {
  const auto end = [](Selector::Inputs& in, uint64_t cycle) {
    if (cycle % 100 == 99) in.lane[3].in_burst = false;
  };
  EXPECT_NE((run<Vselector_l4_s2, 4, 2>(end)), "");
}

TEST(SelectorRtl, IsToldApartFromAWrongPredictionOutcome) {
  const auto turn = [](Selector::Inputs& in, uint64_t cycle) {
    if (cycle % 100 == 99) in.lane[2].mispredicted = !in.lane[2].mispredicted;
  };
  EXPECT_NE((run<Vselector_l4_s2, 4, 2>(turn)), "");
}

TEST(SelectorRtl, IsToldApartFromASlotThatTakesTheNextClass) {
  const auto next = [](Selector::Inputs& in, uint64_t) {
    in.slots[1].opclass = static_cast<uint16_t>(in.slots[1].opclass << 1);
  };
  EXPECT_NE((run<Vselector_l4_s2, 4, 2>(next)), "");
}

}  // namespace
}  // namespace strobe::tb
