// Glue of one Verilated point: ProfilerPath on top of Vstrobe_profiler. build_point.sh compiles it
// into a shared object of its own, with the point's parameters as STROBE_* macros.
//
// One cycle is one eval: the rising edge with the cycle's inputs. The path has no logic on the
// falling edge, and no output depends on an input but the register address (clock_edge.h). A
// changed register address takes a further eval, because reg_rdata depends on it combinationally.
//
// An object that writes waveforms evaluates more often, so that they look as a designer expects: in
// cycle c the clock rises at c ns and falls half a nanosecond later, and inputs and state are
// stable for the whole cycle.
#include <algorithm>
#include <string>
#include <type_traits>

#include "Vstrobe_profiler.h"
#include "Vstrobe_profiler___024root.h"
#include "sc_models/profiling/verilated/clock_edge.h"
#include "sc_models/profiling/verilated/coverage.h"
#include "sc_models/profiling/verilated/lane_ports.h"
#include "sc_models/profiling/verilated/model_abi.h"
#include "sc_models/profiling/verilated/model_context.h"
#include "sc_models/profiling/verilated/wave_writer.h"
#include "verilated.h"

namespace strobe::profiling {
namespace {

constexpr PathParams kPoint = parse_point(STROBE_POINT);
constexpr unsigned kLanes = kPoint.lanes;

class Model final : public ProfilerPath {
 public:
  Model(const char* wave_file, uint64_t from, uint64_t to)
      : top_(&context_), waves_(context_, top_, wave_file, from, to) {
    reset();
  }

  ~Model() override {
    top_.final();
    keep_coverage(context_);
  }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  PathOutputs step(const PathInputs& inputs) override {
    const PathOutputs outputs = peek(inputs.reg_addr);
    unsigned valid = 0, trap = 0, mode = 0, mispredicted = 0, in_burst = 0;
    for (unsigned k = 0; k < kLanes; ++k) {
      const RetireLane& lane = inputs.lane[k];
      if (!lane.valid) continue;
      valid |= 1u << k;
      trap |= static_cast<unsigned>(lane.trap) << k;
      mispredicted |= static_cast<unsigned>(lane.mispredicted) << k;
      in_burst |= static_cast<unsigned>(lane.in_burst) << k;
      mode |= (lane.mode & 3u) << (2 * k);
      set_lane(top_.rvfi_insn_i, k, lane.insn);
      set_lane(top_.rvfi_pc_rdata_i, k, lane.pc_rdata);
      set_lane(top_.rvfi_pc_wdata_i, k, lane.pc_wdata);
      set_lane(top_.rvfi_rd_wdata_i, k, lane.rd_wdata);
      set_lane(top_.rvfi_mem_addr_i, k, lane.mem_addr);
    }
    using Mode = std::remove_reference_t<decltype(top_.rvfi_mode_i)>;
    top_.rvfi_valid_i = static_cast<CData>(valid);
    top_.rvfi_trap_i = static_cast<CData>(trap);
    top_.retire_mispredicted_i = static_cast<CData>(mispredicted);
    top_.retire_in_burst_i = static_cast<CData>(in_burst);
    top_.rvfi_mode_i = static_cast<Mode>(mode);
    top_.profile_en_i = inputs.profile_en;
    top_.reg_re_i = inputs.reg_re;
    top_.reg_we_i = inputs.reg_we;
    top_.reg_wdata_i = inputs.reg_wdata;
    top_.mem_ready_i = inputs.mem_ready;
    top_.mem_idle_i = inputs.mem_idle;
    if (WaveWriter::kTraces) show_cycle();
    rising_edge(top_);
    top_.rvfi_valid_i = 0;
    top_.reg_re_i = 0;
    top_.reg_we_i = 0;
    if constexpr (WaveWriter::kTraces) {  // the clock falls in the middle of the cycle
      top_.clk_i = 1;
      top_.eval();
    } else {
      falling_edge(top_);
    }
    ++cycle_;
    const bool nothing = valid == 0 && !inputs.reg_re && !inputs.reg_we && outputs.idle;
    quiet_cycles_ = nothing ? quiet_cycles_ + 1 : 0;
    return outputs;
  }

  PathOutputs peek(uint16_t reg_addr) override {
    const auto address = static_cast<SData>(reg_addr & 0xfff);
    if (address != top_.reg_addr_i) {
      top_.reg_addr_i = address;
      top_.eval();
    }
    PathOutputs outputs;
    outputs.reg_rdata = top_.reg_rdata_o;
    outputs.reg_error = top_.reg_error_o != 0;
    outputs.irq = top_.irq_o != 0;
    outputs.idle = top_.idle_o != 0;
    outputs.mem_valid = top_.mem_valid_o != 0;
    outputs.mem_addr = top_.mem_addr_o;
    outputs.mem_data = top_.mem_data_o;
    return outputs;
  }

  void skip(uint64_t cycles) override {
    // A path that is idle without an input for kSettled cycles has nothing left to do: by then a
    // clear, a stored head or a table read-out has passed through.
    constexpr unsigned kSettled = 4;
    PathInputs none;
    none.reg_addr = top_.reg_addr_i;
    for (const uint64_t end = cycle_ + cycles; cycle_ < end;) {
      const uint64_t next = std::min(end, waves_.next(cycle_));
      if (quiet_cycles_ >= kSettled && next > cycle_) {
        cycle_ = next;
      } else {
        step(none);
      }
    }
  }

  void reset() override {
    top_.rvfi_valid_i = 0;
    top_.reg_re_i = 0;
    top_.reg_we_i = 0;
    top_.reg_addr_i = 0;
    quiet_cycles_ = 0;
    reset_over_an_edge(top_);
  }

  const PathParams& params() const override { return kPoint; }

 private:
  void show_cycle() {
    top_.eval();
    waves_.dump(cycle_, 0);
    top_.clk_i = 0;
    top_.eval();
    waves_.dump(cycle_, WaveWriter::kTimeOfCycle / 2);
  }

  ModelContext context_;
  Vstrobe_profiler top_;
  WaveWriter waves_;
  uint64_t cycle_ = 0;         // steps and skipped cycles since construction
  uint64_t quiet_cycles_ = 0;  // the last cycles that were idle and without an input
};

}  // namespace
}  // namespace strobe::profiling

extern "C" __attribute__((visibility("default"))) strobe::profiling::ProfilerPath*
strobe_rtl_make_path(unsigned abi_version, const char* wave_file, uint64_t from, uint64_t to) {
  if (abi_version != strobe::profiling::kRtlAbiVersion) return nullptr;
  return new strobe::profiling::Model(wave_file, from, to);
}
