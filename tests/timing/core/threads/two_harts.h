// Two harts on one core, with memory and caches whose answers the test decides; each logs its
// commits.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sc_models/core/back_end/store_port.h"
#include "sc_models/core/threads/shared_core.h"
#include "sc_models/core/threads/thread_pair.h"
#include "tests/timing/core/machine.h"

namespace strobe::test {

/// A hart of the two, in U-mode until its ECALL.
class HartOfTwo : public isa::Environment, public RetireSink {
 public:
  isa::Hart hart;
  core::Pipeline pipeline;
  core::StorePort stores;
  std::vector<Commit> commits;

  HartOfTwo(const core::CoreParams& params, isa::GuestMemory& memory, core::CoreShare& share,
            TimingPort& icache, TimingPort& dcache, uint64_t id)
      : hart(memory, *this),
        pipeline(params, hart, &share),
        stores(dcache, hart.share_memory(id), params.memory.l1d.line) {
    pipeline.bind_caches(icache, stores);
    pipeline.share_memory();
    pipeline.set_retire_sink(this);
  }
  /// The cycle in which instruction number `index` of the program committed the first time.
  uint64_t commit_cycle(uint64_t code, size_t index) const {
    for (const Commit& c : commits) {
      if (c.record.pc_rdata == code + 4 * index) return c.cycle;
    }
    return ~uint64_t{0};
  }

  isa::EcallResult ecall(isa::Hart&) override { return isa::EcallResult::kStop; }
  bool mmio_read(uint64_t, unsigned, uint64_t&) override { return false; }
  bool mmio_write(uint64_t, unsigned, uint64_t) override { return false; }
  uint64_t cycle() override { return pipeline.cycle(); }
  uint64_t time() override { return 0; }
  RetireInterest retire(uint64_t at, const RetireRecord* lanes, unsigned count,
                        const RetireRecord* const*, unsigned) override {
    for (unsigned i = 0; i < count; ++i) commits.push_back({at, lanes[i]});
    return interest();
  }
  RetireInterest interest() const override { return {RetireKinds(0xffff, 0xffff)}; }
};

class TwoHarts {
 public:
  static constexpr uint64_t kData = Machine::kData;

  isa::GuestMemory memory;
  core::SharedCore core;
  core::CoreShare shares[2] = {{core, 0}, {core, 1}};
  ScriptedPort icache, dcache;
  HartOfTwo harts[2];
  core::ThreadPair pair{core, harts[0].pipeline, harts[1].pipeline};

  explicit TwoHarts(const core::CoreParams& params)
      : core(params),
        harts{{core.hart_params(), memory, shares[0], icache, dcache, 0},
              {core.hart_params(), memory, shares[1], icache, dcache, 1}} {
    memory.protect(0, Machine::kRange, 7, 7);
    icache.latency = params.memory.l1i.latency;
    dcache.latency = params.memory.l1d.latency;
  }

  static uint64_t code(unsigned hart) { return hart == 0 ? Machine::kCode : 0x18000; }
  /// The hart will run the program in U-mode up to the ECALL that is appended.
  void start(unsigned hart, std::vector<uint32_t> words) {
    words.push_back(test::ecall());
    memory.write(code(hart), words.data(), words.size() * 4);
    start_at(hart, code(hart), PrivilegeMode::kUser);
  }
  void start_at(unsigned hart, uint64_t pc, PrivilegeMode mode) {
    isa::HartState& state = harts[hart].hart.state();
    state.pc = pc;
    state.mode = mode;
    harts[hart].hart.invalidate_code();
    harts[hart].commits.clear();
    harts[hart].pipeline.skip_to(core.cycle);
    harts[hart].pipeline.restart();
    pair.turn_on(hart);
  }
  /// Until the first hart stops.
  core::CoreStop run(uint64_t cycles = 100000) { return pair.run(core.cycle + cycles); }
  /// Cycles between the commits of two instructions of a hart's program.
  uint64_t cycles(unsigned hart, size_t from, size_t to) const {
    return harts[hart].commit_cycle(code(hart), to) - harts[hart].commit_cycle(code(hart), from);
  }
};

/// As plain_core(), with two harts.
inline core::CoreParams two_threads(core::Buffers buffers = core::Buffers::kHalves) {
  core::CoreParams params = plain_core();
  params.threads = 2;
  params.smt.buffers = buffers;
  return params;
}

}  // namespace strobe::test
