// The ring writer's registers: RTL against reference.
#include "sc_models/profiling/reference/message/ring_registers.h"

#include "Vring_registers.h"
#include "tb/common/bus_traffic.h"
#include "tb/common/clocked.h"
#include "tb/common/compare.h"

namespace strobe::tb {
namespace {

using profiling::RingConfig;
using profiling::RingRegisters;

struct Outputs {
  RingRegisters::Outputs bus;
  RingConfig config;
};

class Dut {
 public:
  Outputs step(const RingRegisters::Inputs& in) {
    Vring_registers& top = block_.top();
    top.clear_i = in.clear;
    top.unlocked_i = in.unlocked;
    top.reg_we_i = in.we;
    top.reg_addr_i = in.addr;
    top.reg_wdata_i = in.wdata;
    top.busy_i = in.writer.busy;
    top.prod_i = in.writer.prod;
    top.overwritten_i = in.writer.overwritten;
    top.high_water_i = in.writer.high_water;
    top.stalls_i = in.writer.stalls;
    block_.settle();
    const Outputs out{
        {top.known_o != 0, top.reg_rdata_o},
        {top.enable_o != 0, top.overwrite_o != 0, top.log2_entries_o, top.base_o, top.cons_o}};
    block_.edge();
    return out;
  }

 private:
  Clocked<Vring_registers> block_;
};

class Reference {
 public:
  Outputs step(const RingRegisters::Inputs& in) {
    const RingConfig config = block_.config();
    return {block_.step(in), config};
  }

 private:
  RingRegisters block_;
};

class Traffic {
 public:
  explicit Traffic(uint64_t seed) : random_(seed) {}

  RingRegisters::Inputs operator()(uint64_t) {
    RingRegisters::Inputs in;
    in.clear = below(random_, 100) == 0;
    in.unlocked = chance(random_, 80);
    in.we = chance(random_, 50);
    in.addr = chance(random_, 90) ? static_cast<uint16_t>(0x200 + 8 * below(random_, 8))
                                  : random_register(random_);
    in.wdata = random_data(random_);
    in.writer.busy = chance(random_, 30);
    // RING_PROD advances as records are written; software reports about as many as read.
    prod_ += static_cast<uint32_t>(below(random_, 4));
    if (below(random_, 2000) == 0) prod_ = static_cast<uint32_t>(random_());
    in.writer.prod = prod_;
    if (in.addr == 0x220 && chance(random_, 70)) in.wdata = prod_ + 8 - below(random_, 64);
    in.writer.overwritten = static_cast<uint32_t>(random_());
    in.writer.high_water = static_cast<uint32_t>(below(random_, 65537));
    in.writer.stalls = static_cast<uint32_t>(random_());
    return in;
  }

 private:
  Random random_;
  uint32_t prod_ = 0;
};

void compare(const Outputs& rtl, const Outputs& reference, Difference& d) {
  d.check("known", rtl.bus.known, reference.bus.known);
  d.check("rdata", rtl.bus.rdata, reference.bus.rdata);
  d.check("enable", rtl.config.enable, reference.config.enable);
  d.check("overwrite", rtl.config.overwrite, reference.config.overwrite);
  d.check("log2_entries", rtl.config.log2_entries, reference.config.log2_entries);
  d.check("base", rtl.config.base, reference.config.base);
  d.check("cons", rtl.config.cons, reference.config.cons);
}

template <class Mutate = Unchanged>
std::string run(Mutate mutate = {}) {
  Dut rtl;
  Reference reference;
  return first_difference(rtl, reference, bench_cycles(), Traffic(bench_seed()), compare, mutate);
}

TEST(RingRegistersRtl, EqualTheReference) { EXPECT_EQ(run(), ""); }

TEST(RingRegistersRtl, AreToldApartFromSomeThatCountOneRecordMore) {
  const auto more = [](RingRegisters::Inputs& in, uint64_t) {
    if (in.we && in.addr == 0x220) ++in.writer.prod;
  };
  EXPECT_NE(run(more), "");
}

TEST(RingRegistersRtl, AreToldApartFromSomeThatCanBeChangedInTheMiddleOfARecord) {
  const auto idle = [](RingRegisters::Inputs& in, uint64_t) { in.writer.busy = false; };
  EXPECT_NE(run(idle), "");
}

}  // namespace
}  // namespace strobe::tb
