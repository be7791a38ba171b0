// The RVFI adapter: program order from channels in any order, and every compressed instruction.
#include <algorithm>
#include <vector>

#include "Vrvc.h"
#include "rvfi_points.h"
#include "sc_models/isa/decode/decoded.h"
#include "sc_models/profiling/verilated/lane_ports.h"
#include "tb/common/clocked.h"
#include "tb/common/compare.h"

namespace strobe::tb {
namespace {

TEST(RvcRtl, ExpandsEveryLegalInstruction) {
  Vrvc top;
  unsigned legal = 0;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 3) == 3) continue;
    const uint32_t expected = isa::expand_compressed(static_cast<uint16_t>(bits));
    if (expected == 0) continue;
    ++legal;
    top.insn_i = bits;
    top.eval();
    ASSERT_EQ(top.insn_o, expected) << fmt::format("{:04x}", bits);
  }
  EXPECT_GT(legal, 40000u);
  profiling::keep_coverage(*top.contextp());
}

// docs/integration.md, RV32: a core with RV32C expands this instruction itself.
TEST(RvcRtl, TakesACallOfRv32ForAnAddiwOfRv64) {
  Vrvc top;
  top.insn_i = 0x2085;  // c.jal in RV32, c.addiw ra, 1 in RV64
  top.eval();
  EXPECT_EQ(top.insn_o, 0x0010809bu);  // addiw ra, ra, 1
}

TEST(RvcRtl, LeavesOthersAlone) {
  Vrvc top;
  Random random(bench_seed());
  for (int n = 0; n < 100000; ++n) {
    const uint32_t insn = static_cast<uint32_t>(random()) | 3;
    top.insn_i = insn;
    top.eval();
    ASSERT_EQ(top.insn_o, insn);
  }
}

struct Instruction {
  bool trap, mispredicted, in_burst;
  unsigned mode;
  uint32_t insn;
  uint64_t order, pc_rdata, pc_wdata, rd_wdata, mem_addr;
};

Instruction any(Random& random, uint64_t order) {
  return {chance(random, 10),
          chance(random, 50),
          chance(random, 50),
          static_cast<unsigned>(below(random, 4)),
          static_cast<uint32_t>(random()) | 3,
          order,
          random(),
          random(),
          random(),
          random()};
}

template <class V>
void set_channel(V& top, unsigned channel, const Instruction& i) {
  profiling::set_lane(top.rvfi_order_i, channel, i.order);
  profiling::set_lane(top.rvfi_insn_i, channel, i.insn);
  profiling::set_lane(top.rvfi_pc_rdata_i, channel, i.pc_rdata);
  profiling::set_lane(top.rvfi_pc_wdata_i, channel, i.pc_wdata);
  profiling::set_lane(top.rvfi_rd_wdata_i, channel, i.rd_wdata);
  profiling::set_lane(top.rvfi_mem_addr_i, channel, i.mem_addr);
}

// The first differing field of lane n, or nothing.
template <class V>
std::string difference(const V& top, unsigned n, const Instruction& i) {
  Difference d;
  d.check("trap", top.trap_o >> n & 1, i.trap);
  d.check("mispredicted", top.mispredicted_o >> n & 1, i.mispredicted);
  d.check("in_burst", top.in_burst_o >> n & 1, i.in_burst);
  d.check("mode", top.mode_o >> (2 * n) & 3, i.mode);
  d.check("insn", profiling::get_lane<uint32_t>(top.insn_o, n), i.insn);
  d.check("pc_rdata", profiling::get_lane<uint64_t>(top.pc_rdata_o, n), i.pc_rdata);
  d.check("pc_wdata", profiling::get_lane<uint64_t>(top.pc_wdata_o, n), i.pc_wdata);
  d.check("rd_wdata", profiling::get_lane<uint64_t>(top.rd_wdata_o, n), i.rd_wdata);
  d.check("mem_addr", profiling::get_lane<uint64_t>(top.mem_addr_o, n), i.mem_addr);
  return d.text();
}

// The lanes of cycle t + 1 are the instructions of cycle t; with `swap`, two of them are exchanged.
template <class V, unsigned kLanes>
std::string run(bool swap = false) {
  Clocked<V> block;
  V& top = block.top();
  Random random(bench_seed());
  std::vector<Instruction> expected;
  uint64_t order = random();  // so that it wraps
  unsigned channels[kLanes];
  for (unsigned k = 0; k < kLanes; ++k) channels[k] = k;
  for (uint64_t cycle = 0; cycle < bench_cycles(); ++cycle) {
    std::vector<Instruction> now;
    unsigned valid = 0, trap = 0, mode = 0, mispredicted = 0, in_burst = 0;
    std::shuffle(channels, channels + kLanes, random);
    const uint64_t count = below(random, kLanes + 1);
    for (unsigned k = 0; k < kLanes; ++k) {
      const Instruction i = any(random, k < count ? order++ : random());
      const unsigned channel = channels[k];
      if (k < count) {
        now.push_back(i);
        valid |= 1u << channel;
      }
      trap |= static_cast<unsigned>(i.trap) << channel;
      mode |= i.mode << (2 * channel);
      mispredicted |= static_cast<unsigned>(i.mispredicted) << channel;
      in_burst |= static_cast<unsigned>(i.in_burst) << channel;
      set_channel(top, channel, i);
    }
    const auto set = [](auto& port, unsigned value) {
      port = static_cast<std::remove_reference_t<decltype(port)>>(value);
    };
    set(top.rvfi_valid_i, valid);
    set(top.rvfi_trap_i, trap);
    set(top.rvfi_mode_i, mode);
    set(top.retire_mispredicted_i, mispredicted);
    set(top.retire_in_burst_i, in_burst);
    block.settle();
    if (top.valid_o != (1u << expected.size()) - 1) return fmt::format("cycle {}: valid", cycle);
    for (unsigned n = 0; n < expected.size(); ++n) {
      const std::string found = difference(top, n, expected[n]);
      if (!found.empty()) return fmt::format("cycle {}, lane {}: {}", cycle, n, found);
    }
    block.edge();
    if (swap && now.size() > 1) std::swap(now[0], now[1]);
    expected = now;
  }
  return "";
}

#define STROBE_ORDERS(model, lanes) \
  TEST(RvfiRtl, PutsInOrder_##model) { EXPECT_EQ((run<V##model, lanes>()), ""); }
STROBE_POINTS_rvfi(STROBE_ORDERS)

    TEST(RvfiRtl, IsToldApartFromOneThatSwapsTwo) {
  EXPECT_NE((run<Vrvfi_l4, 4>(true)), "");
}

}  // namespace
}  // namespace strobe::tb
