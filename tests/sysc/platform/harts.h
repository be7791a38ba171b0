// Several harts on one memory, each running a program of programs/sharing.S to its end.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/machine/system/counter_window.h"
#include "sc_models/machine/system/system.h"
#include "sc_models/port/address_map.h"
#include "tests/tree.h"

namespace strobe::platform {

constexpr uint64_t kData = 0x40000, kLine = 64;

struct Program {
  const char* name;
  std::vector<uint64_t> arguments;  // a0, a1 ...
};

class Harts : public core::CoreDelegate {
 public:
  isa::GuestMemory memory;
  Clock clock{1.0};
  System system;
  memory::Interconnect device_bus;
  CounterWindow window;

  Harts(const SystemParams& params, const std::vector<Program>& programs)
      : system(params, clock, memory, std::vector<core::CoreDelegate*>(programs.size(), this)),
        device_bus("device_bus", system.cores(), {{STROBE_COUNTERS_BASE, STROBE_COUNTERS_SIZE}}, 0,
                   clock),
        window("window", system.harts(), clock.time_of(4), clock.time_of(4 + 35)),
        elf_(isa::ElfFile::open(in_build("tests/sysc/platform/sharing.elf"), STROBE_DEVICE_BASE)) {
    elf_.load(memory, true);
    device_bus.initiator_sockets[0].bind(window.socket);
    memory.protect(kData, 0x10000, 0, 3);
    unsigned i = 0;
    for (unsigned c = 0; c < system.cores(); ++c) {
      core::Core& core = system.core(c);
      core.device_socket.bind(device_bus.target_sockets[c]);
      for (unsigned t = 0; t < core.threads(); ++t) {
        threads_.push_back(&core.thread(t));
        prepare(core.thread(t).hart().state(), programs[i++]);
        core.restart(t);
      }
    }
  }

  /// Runs the first hart of every core to its ECALL.
  void run() {
    for (unsigned i = 0; i < system.cores(); ++i) system.core(i).start({0, 10'000'000, 0});
    for (unsigned i = 0; i < system.cores(); ++i) {
      while (system.core(i).running()) sc_core::sc_start();
      EXPECT_EQ(system.core(i).finish(), core::CoreStop::kHart) << "core " << i;
      EXPECT_EQ(system.core(i).hart().cause(), isa::Cause::kEcallFromMachine) << "core " << i;
    }
  }
  /// The cycles of the core that ran longest.
  uint64_t cycles() {
    uint64_t most = 0;
    for (unsigned i = 0; i < system.cores(); ++i) {
      most = std::max(most, system.core(i).cycle_count());
    }
    return most;
  }
  uint64_t address(const char* program) const { return elf_.symbol(program)->address; }
  uint64_t word(uint64_t at) const {
    uint64_t value = 0;
    memory.read(at, &value, sizeof value);
    return value;
  }
  /// Register a`n` of a hart.
  uint64_t a(unsigned hart, unsigned n) { return thread(hart).hart().state().x[10 + n]; }
  core::HardwareThread& thread(unsigned hart) { return *threads_[hart]; }
  uint64_t coherence(const char* name) { return system.directory().statistics().at(name); }

  isa::EcallResult ecall(isa::Hart&) override { return isa::EcallResult::kStop; }
  uint64_t time() override { return 0; }

 private:
  void prepare(isa::HartState& state, const Program& program) const {
    state.pc = address(program.name);
    for (size_t a = 0; a < program.arguments.size(); ++a) state.x[10 + a] = program.arguments[a];
  }

  isa::ElfFile elf_;
  std::vector<core::HardwareThread*> threads_;  // by mhartid
};

}  // namespace strobe::platform
