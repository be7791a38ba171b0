// The register block's RTL against its reference.
#include "registers_points.h"
#include "tb/common/bus_traffic.h"
#include "tb/common/compare.h"
#include "tb/dut/registers_dut.h"

namespace strobe::tb {
namespace {

using profiling::PathParams;
using profiling::RegisterBlock;

class Traffic {
 public:
  Traffic(const PathParams& params, uint64_t seed) : params_(params), random_(seed) {}

  RegisterBlock::Inputs operator()(uint64_t) {
    RegisterBlock::Inputs in;
    const uint64_t access = below(random_, 3);
    in.re = access == 1;
    in.we = access == 2;
    // A third of the reads are of a message, so that some are in the order in which a message is
    // taken.
    in.addr = in.re && chance(random_, 33) ? static_cast<uint16_t>(0x80 + 8 * below(random_, 3))
                                           : random_register(random_);
    in.wdata = random_data(random_);
    // Only reset opens the lock again, so it stays open for the first half of the bench.
    if (in.we && in.addr == 0x40 && ++locks_ < 700) in.wdata |= 1;
    RegisterBlock::Hardware& hw = in.hardware;
    hw.init = chance(random_, 20);
    hw.idle = chance(random_, 50);
    hw.stall = chance(random_, 30);
    hw.drop = chance(random_, 10);
    hw.selected = static_cast<uint32_t>(below(random_, params_.lanes + 1));
    hw.dropped = static_cast<uint32_t>(random_());
    hw.level = static_cast<uint32_t>(below(random_, params_.buffer_depth + 1));
    hw.high_water = static_cast<uint32_t>(below(random_, params_.buffer_depth + 1));
    hw.table.known = chance(random_, 50);
    hw.table.held.count = static_cast<uint32_t>(random_());
    if (hw.table.known) {
      hw.table.held.tuple = {random_(), random_(), static_cast<uint8_t>(below(random_, 16))};
    }
    if (chance(random_, 20)) has_message_ = !has_message_;
    hw.msg_valid = has_message_;
    if (hw.msg_valid) {
      hw.head = Message{Tuple{random_(), random_(), static_cast<uint8_t>(below(random_, 16))},
                        static_cast<uint32_t>(1 + below(random_, 1u << params_.counter_width))};
    }
    return in;
  }

 private:
  PathParams params_;
  Random random_;
  unsigned locks_ = 0;
  bool has_message_ = false;
};

void compare(const RegistersOutputs& rtl, const RegistersOutputs& reference, Difference& d) {
  d.check("rdata", rtl.bus.rdata, reference.bus.rdata);
  d.check("error", rtl.bus.error, reference.bus.error);
  d.check("irq", rtl.bus.irq, reference.bus.irq);
  d.check("shown", rtl.bus.shown, reference.bus.shown);
  d.check("enable", rtl.config.enable, reference.config.enable);
  d.check("unlocked", rtl.config.unlocked, reference.config.unlocked);
  d.check("clear", rtl.config.clear, reference.config.clear);
  const profiling::CompressorRates &rates = rtl.config.rates, &expected = reference.config.rates;
  d.check("period", rates.sampling.period, expected.sampling.period);
  d.check("threshold", rates.sampling.threshold, expected.sampling.threshold);
  for (const profiling::SettingField& setting : profiling::kSettingFields) {
    d.check(setting.name, rates.settings.*setting.field, expected.settings.*setting.field);
  }
  d.check("seed", rtl.config.seed, reference.config.seed);
  d.check("table_index", rtl.config.table_index, reference.config.table_index);
  for (unsigned s = 0; s < profiling::kMaxSelectors; ++s) {
    const profiling::SelectorSlot &a = rtl.config.slots[s], &b = reference.config.slots[s];
    d.check("slot.enable", a.enable, b.enable);
    d.check("slot.kind", a.kind, b.kind);
    d.check("slot.user", a.user, b.user);
    d.check("slot.supervisor", a.supervisor, b.supervisor);
    d.check("slot.machine", a.machine, b.machine);
    d.check("slot.marked", a.marked, b.marked);
    d.check("slot.in_burst", a.in_burst, b.in_burst);
    d.check("slot.prediction", a.prediction, b.prediction);
    d.check("slot.tag", a.tag, b.tag);
    d.check("slot.opclass", a.opclass, b.opclass);
    d.check("slot.pc_lo", a.pc_lo, b.pc_lo);
    d.check("slot.pc_hi", a.pc_hi, b.pc_hi);
  }
}

PathParams params_of(unsigned lanes, unsigned selectors, unsigned counter_width,
                     unsigned buffer_depth, unsigned strata, unsigned queue_depth) {
  PathParams params;
  params.lanes = lanes;
  params.selectors = selectors;
  params.counter_width = counter_width;
  params.buffer_depth = buffer_depth;
  params.strata = strata;
  params.queue_depth = queue_depth;
  return params;
}

template <class V, class Mutate = Unchanged>
std::string run(const PathParams& params, Mutate mutate = {}) {
  RegistersDut<V> rtl(params);
  RegistersReference reference(params);
  return first_difference(rtl, reference, bench_cycles(), Traffic(params, bench_seed()), compare,
                          mutate);
}

#define STROBE_EQUALS(model, ...)                           \
  TEST(RegistersRtl, EqualTheReference_##model) {           \
    EXPECT_EQ((run<V##model>(params_of(__VA_ARGS__))), ""); \
  }
STROBE_POINTS_registers(STROBE_EQUALS)

    TEST(RegistersRtl, AreToldApartFromALockThatNeverCloses) {
  const auto never_lock = [](RegisterBlock::Inputs& in, uint64_t) {
    if (in.we && in.addr == 0x40) in.wdata |= 1;
  };
  EXPECT_NE((run<Vregisters_l4_s2_c8>(PathParams{}, never_lock)), "");
}

TEST(RegistersRtl, AreToldApartFromADropThatIsNotSeen) {
  const auto blind = [](RegisterBlock::Inputs& in, uint64_t) { in.hardware.drop = false; };
  EXPECT_NE((run<Vregisters_l4_s2_c8>(PathParams{}, blind)), "");
}

TEST(RegistersRtl, AreToldApartFromSomeThatShowNoMessage) {
  const auto blind = [](RegisterBlock::Inputs& in, uint64_t) {
    if (in.addr == 0x80) in.re = false;
  };
  EXPECT_NE((run<Vregisters_l4_s2_c8>(PathParams{}, blind)), "");
}

}  // namespace
}  // namespace strobe::tb
