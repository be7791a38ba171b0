// The message buffer's RTL against its reference.
#include "buffer_points.h"
#include "tb/common/compare.h"
#include "tb/dut/message_buffer_dut.h"

namespace strobe::tb {
namespace {

using profiling::MessageBuffer;

// Phases of filling and emptying; a phase may be all push or all pop. A deep buffer gets enough
// time to fill.
class Traffic {
 public:
  Traffic(unsigned depth, unsigned count_width, uint64_t seed)
      : depth_(depth), count_width_(count_width), random_(seed) {}

  MessageBuffer::Inputs operator()(uint64_t) {
    if (left_-- == 0) {
      left_ = 1 + below(random_, 400 + depth_);
      push_ = below(random_, 4) == 0 ? 100 * below(random_, 2) : below(random_, 101);
      pop_ = below(random_, 4) == 0 ? 100 * below(random_, 2) : below(random_, 101);
    }
    MessageBuffer::Inputs in;
    in.clear = below(random_, 2000 + 8 * depth_) == 0;
    in.valid = chance(random_, push_);
    in.pop = chance(random_, pop_);
    in.message = Message{Tuple{random_(), random_(), static_cast<uint8_t>(below(random_, 16))},
                         static_cast<uint32_t>(random_() & ((uint64_t{1} << count_width_) - 1))};
    return in;
  }

 private:
  unsigned depth_, count_width_;
  Random random_;
  uint64_t left_ = 0, push_ = 0, pop_ = 0;
};

void compare(const MessageBuffer::Outputs& rtl, const MessageBuffer::Outputs& reference,
             Difference& d) {
  d.check("ready", rtl.ready, reference.ready);
  d.check("valid", rtl.valid, reference.valid);
  d.check_tuple("head", rtl.head.tuple, reference.head.tuple);
  d.check("head.count", rtl.head.count, reference.head.count);
  d.check("arriving", rtl.arriving, reference.arriving);
  d.check("level", rtl.level, reference.level);
  d.check("high_water", rtl.high_water, reference.high_water);
}

template <class V, unsigned kDepth, unsigned kCountWidth, class Mutate = Unchanged>
std::string run(Mutate mutate = {}) {
  MessageBufferDut<V> rtl;
  MessageBuffer reference(kDepth);
  return first_difference(rtl, reference, bench_cycles(),
                          Traffic(kDepth, kCountWidth, bench_seed()), compare, mutate);
}

#define STROBE_EQUALS(model, ...)                      \
  TEST(MessageBufferRtl, EqualsTheReference_##model) { \
    EXPECT_EQ((run<V##model, __VA_ARGS__>()), "");     \
  }
STROBE_POINTS_buffer(STROBE_EQUALS)

    TEST(MessageBufferRtl, IsToldApartFromABufferThatForgetsOneClear) {
  const auto forget = [](MessageBuffer::Inputs& in, uint64_t) { in.clear = false; };
  EXPECT_NE((run<Vbuffer_d256, 256, 32>(forget)), "");
}

}  // namespace
}  // namespace strobe::tb
