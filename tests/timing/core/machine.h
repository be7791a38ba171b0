// A pipeline with a hart, memory, and caches whose answers the test decides; it logs every commit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "sc_models/core/pipeline.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/memory/guest_memory.h"
#include "sc_models/port/timing_port.h"
#include "tests/timing/core/encode.h"

namespace strobe::test {

/// A cache that answers every access after `latency` cycles, unless `answer` decides.
class ScriptedPort : public TimingPort {
 public:
  struct Access {
    uint64_t address, cycle;
    AccessKind kind;
  };
  unsigned latency = 1;
  std::function<uint64_t(const Access&)> answer;
  std::vector<Access> log;

  uint64_t access(uint64_t address, AccessKind kind, uint64_t now) override {
    log.push_back({address, now, kind});
    return answer ? answer(log.back()) : now + latency;
  }
  bool touched_line(uint64_t address) const {
    return std::any_of(log.begin(), log.end(),
                       [&](const Access& a) { return a.address / 64 == address / 64; });
  }
};

struct Commit {
  uint64_t cycle;
  RetireRecord record;
};

class Machine : public isa::Environment, public RetireSink {
 public:
  static constexpr uint64_t kCode = 0x10000, kHandler = 0x20000, kData = 0x30000, kRange = 0x100000;

  isa::GuestMemory memory;
  isa::Hart hart{memory, *this};
  core::Pipeline pipeline;
  ScriptedPort icache, dcache;
  std::vector<Commit> commits;
  std::function<void(uint64_t cycle)> on_cycle;  // called at every retire() when set
  unsigned device_latency = 4;
  std::vector<bool> drained_at_device;

  explicit Machine(const core::CoreParams& params) : pipeline(params, hart) {
    memory.protect(0, kRange, 7, 7);
    pipeline.bind_caches(icache, dcache);
    pipeline.set_retire_sink(this);
    icache.latency = params.memory.l1i.latency;
    dcache.latency = params.memory.l1d.latency;
    hart.state().pc = kCode;
  }

  void load(const std::vector<uint32_t>& words, uint64_t at = kCode) {
    memory.write(at, words.data(), words.size() * 4);
  }
  /// Runs the program, ended by an ECALL in U-mode, and returns why it stopped.
  core::CoreStop run(std::vector<uint32_t> words, uint64_t cycles = 100000) {
    words.push_back(test::ecall());
    load(words);
    hart.state().mode = PrivilegeMode::kUser;
    return go(cycles);
  }
  core::CoreStop go(uint64_t cycles = 100000) {
    pipeline.restart();
    return pipeline.run(pipeline.cycle() + cycles);
  }
  /// Cycle in which instruction number `index` of kCode committed (the first time).
  uint64_t commit_cycle(size_t index) const {
    for (const Commit& c : commits) {
      if (c.record.pc_rdata == kCode + 4 * index) return c.cycle;
    }
    return ~uint64_t{0};
  }

  // isa::Environment
  isa::EcallResult ecall(isa::Hart&) override { return isa::EcallResult::kStop; }
  bool mmio_read(uint64_t, unsigned, uint64_t& value) override {
    value = 0;
    return device();
  }
  bool mmio_write(uint64_t, unsigned, uint64_t) override { return device(); }
  uint64_t cycle() override { return pipeline.cycle(); }
  uint64_t time() override { return 0; }

  // RetireSink
  RetireInterest retire(uint64_t at, const RetireRecord* lanes, unsigned count,
                        const RetireRecord* const*, unsigned) override {
    for (unsigned i = 0; i < count; ++i) commits.push_back({at, lanes[i]});
    if (on_cycle) on_cycle(at);
    return interest();
  }
  RetireInterest interest() const override {
    return {RetireKinds(0xffff, 0xffff), true, static_cast<bool>(on_cycle)};
  }

 private:
  bool device() {
    drained_at_device.push_back(pipeline.drained());
    pipeline.device_answers_at(pipeline.cycle() + device_latency);
    return true;
  }
};

/// A core whose front end never is the bottleneck of a straight line of code.
inline core::CoreParams plain_core() {
  core::CoreParams params;
  params.predictor.kind = "static";
  return params;
}

}  // namespace strobe::test
