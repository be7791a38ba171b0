// The core as a SystemC module: run control, device accesses over TLM, and what comes out of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include "sc_models/core/core.h"
#include "sc_models/memory/cache.h"
#include "sc_models/memory/dram.h"
#include "tests/timing/core/encode.h"

namespace strobe::test {
namespace {

constexpr uint64_t kCode = 0x10000, kDevice = STROBE_DEVICE_BASE;

class Device : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Device> socket;
  std::vector<uint64_t> written;

  Device(sc_core::sc_module_name name, const Clock& clock)
      : sc_module(name), socket("socket"), clock_(clock) {
    socket.register_b_transport(this, &Device::b_transport);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    delay += clock_.time_of(10);
    if (payload.get_address() != kDevice) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    uint64_t value = 0x1234;
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), &value, payload.get_data_length());
    if (payload.is_write()) {
      value = 0;
      std::memcpy(&value, payload.get_data_ptr(), payload.get_data_length());
      written.push_back(value);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  const Clock clock_;
};

// Everything a core needs, with real caches and DRAM; U-mode code at kCode.
class System : public core::CoreDelegate {
 public:
  isa::GuestMemory memory;
  Clock clock{2.0};
  core::CoreParams params;
  core::Core core;
  memory::Cache l1i{"l1i", params.memory.l1i, clock}, l1d{"l1d", params.memory.l1d, clock};
  memory::Cache l2{"l2", params.memory.l2, clock};
  memory::Dram dram{"dram", memory, params.memory.dram_latency, params.memory.dram_interval, clock};
  Device device{"device", clock};

  explicit System(uint64_t quantum = 1000, unsigned threads = 1)
      : params(with_threads(threads)),
        core("core", params, clock, memory, std::vector<core::CoreDelegate*>(threads, this),
             quantum) {
    memory.protect(0, 0x100000, 7, 7);
    l1i.initiator_socket.bind(l2.target_socket);
    l1d.initiator_socket.bind(l2.target_socket);
    l2.initiator_socket.bind(dram.target_socket);
    core.device_socket.bind(device.socket);
    core.bind_caches(l1i, l1d);
    if (threads > 1) core.share_memory(0);
  }
  static core::CoreParams with_threads(unsigned threads) {
    core::CoreParams params;
    params.threads = threads;
    return params;
  }
  void load(const std::vector<uint32_t>& words) {
    memory.write(kCode, words.data(), words.size() * 4);
    core.hart().state().pc = kCode;
    core.restart();
  }
  isa::EcallResult ecall(isa::Hart&) override { return isa::EcallResult::kStop; }
  uint64_t time() override { return 0; }
};

std::vector<uint32_t> endless_loop() { return {addi(5, 5, 1), addi(5, 5, 1), jal(0, -8)}; }

TEST(Core, SimulatedTimeFollowsTheCycleCount) {
  System system;
  system.load(endless_loop());
  EXPECT_EQ(system.core.run_until({0, 12345, 0}), core::CoreStop::kCycleLimit);
  EXPECT_EQ(system.core.cycle_count(), 12345u);
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(12345 * 500, sc_core::SC_PS));
}

TEST(Core, GoesOnWhereItStoppedAndFromANewPcAfterRestart) {
  System system;
  system.core.hart().set_user_entry(kCode, 0);
  std::vector<uint32_t> program(100, addi(5, 5, 1));
  program.push_back(ecall());
  system.load(program);
  EXPECT_EQ(system.core.run_until({30, 0, 0}), core::CoreStop::kUserLimit);
  EXPECT_EQ(system.core.stats().user, 30u);
  system.core.reset_statistics();
  EXPECT_EQ(system.core.run_until({}), core::CoreStop::kHart);
  EXPECT_EQ(system.core.hart_stop_reason(), isa::StopReason::kEcallStop);
  EXPECT_EQ(system.core.stats().user, 70u);
  EXPECT_EQ(system.core.hart().state().x[5], 100u);
  // The platform sends the hart to other code after the program has ended.
  system.core.hart().state().pc = kCode + 4 * 90;
  system.core.restart();
  EXPECT_EQ(system.core.run_until({}), core::CoreStop::kHart);
  EXPECT_EQ(system.core.hart().state().x[5], 110u);
}

TEST(Core, DeviceAccessesGoOverTheSocketAndCostItsDelay) {
  System system;
  system.core.hart().state().x[2] = kDevice;
  std::vector<uint32_t> program = {ld(1, 2, 0), addi(1, 1, 1), sd(1, 2, 0), wfi()};
  system.load(program);
  EXPECT_EQ(system.core.run_until({0, 2000, 0}), core::CoreStop::kCycleLimit);
  EXPECT_EQ(system.device.written, std::vector<uint64_t>{0x1235});
  EXPECT_EQ(system.core.stats().machine, 4u);
}

TEST(Core, BothHartsReachTheDevices) {
  System system(1000, 2);
  const std::vector<uint32_t> stores = {ld(1, 2, 0), add(1, 1, 3), sd(1, 2, 0), wfi()};
  system.memory.write(kCode, stores.data(), stores.size() * 4);
  for (const unsigned i : {0u, 1u}) {
    isa::HartState& state = system.core.thread(i).hart().state();
    state.pc = kCode;
    state.x[2] = kDevice;
    state.x[3] = i;
    system.core.restart(i);
  }
  EXPECT_EQ(system.core.run_until({0, 2000, 0}), core::CoreStop::kCycleLimit);
  EXPECT_THAT(system.device.written, testing::UnorderedElementsAre(0x1234u, 0x1235u));
  EXPECT_TRUE(system.core.second_runs());
}

TEST(Core, TheRunEndsWithTheFirstHartWhileTheSecondRunsOn) {
  System system(1000, 2);
  const std::vector<uint32_t> loop = endless_loop();
  system.memory.write(kCode, loop.data(), loop.size() * 4);
  for (const unsigned i : {0u, 1u}) {
    system.core.thread(i).hart().set_user_entry(kCode, 0);
    system.core.restart(i);
  }
  EXPECT_EQ(system.core.run_until({3000, 0, 0}), core::CoreStop::kUserLimit);
  EXPECT_EQ(system.core.stats().user, 3000u);
  const uint64_t second = system.core.thread(1).stats().user;
  EXPECT_NEAR(static_cast<double>(second), 3000, 30);
  EXPECT_TRUE(system.core.second_runs());
  EXPECT_EQ(system.core.run_until({3000, 0, 0}), core::CoreStop::kUserLimit);
  EXPECT_EQ(system.core.stats().user, 6000u);
  EXPECT_NEAR(static_cast<double>(system.core.thread(1).stats().user), 6000, 30);
}

TEST(Core, OfThreeHartsIsRefusedAndSoAreBuffersWithoutHalves) {
  core::CoreParams params;
  params.threads = 3;
  EXPECT_THAT([&] { core::check(params); },
              testing::ThrowsMessage<std::invalid_argument>("core: threads must be 1 or 2"));
  params.threads = 2;
  params.store_queue = 1;
  EXPECT_THAT(
      [&] { core::check(params); },
      testing::ThrowsMessage<std::invalid_argument>(
          "core: rob, load_queue and store_queue must be at least 2 to be split in halves"));
}

TEST(Core, AHartThatIsAloneHasNoPriority) {
  System system;
  EXPECT_THAT([&] { system.core.thread().set_low_priority(true); },
              testing::ThrowsMessage<std::invalid_argument>(
                  "core: the priority of a hart needs threads: 2, because it is relative to the "
                  "other hart"));
}

TEST(Core, ADeviceErrorIsAnAccessFault) {
  System system;
  system.core.hart().state().x[2] = kDevice + 64;
  system.load({ld(1, 2, 0)});
  EXPECT_EQ(system.core.run_until({}), core::CoreStop::kHart);
  EXPECT_EQ(system.core.hart_stop_reason(), isa::StopReason::kUnhandledTrap);
  EXPECT_EQ(system.core.hart().cause(), isa::Cause::kLoadFault);
  EXPECT_EQ(system.core.hart().tval(), kDevice + 64);
}

TEST(Core, AnExceptionOfTheSinkComesOutOfRunUntil) {
  class Failing : public RetireSink {
    RetireInterest retire(uint64_t cycle, const RetireRecord*, unsigned, const RetireRecord* const*,
                          unsigned) override {
      if (cycle > 500) throw std::domain_error("lockstep: cycle 501");
      return interest();
    }
    RetireInterest interest() const override { return {RetireKinds(0xffff, 0xffff)}; }
  } sink;
  System system;
  system.core.set_retire_sink(&sink);
  system.load(endless_loop());
  EXPECT_THAT([&] { system.core.run_until({}); },
              testing::ThrowsMessage<std::domain_error>("lockstep: cycle 501"));
}

// A chain of loads through `lines` lines of memory, once around to warm up; the stack of the next
// round.
class ChargedLoadChain : public testing::TestWithParam<std::pair<uint64_t, core::CpiClass>> {};

TEST_P(ChargedLoadChain, OfARealHierarchyIsChargedToTheLevelItFitsInto) {
  const auto [lines, level] = GetParam();
  constexpr uint64_t kData = 0x1000000;
  System system;
  system.memory.protect(kData, lines * 64, 3, 3);
  for (uint64_t i = 0; i < lines; ++i) {
    const uint64_t next = kData + 64 * ((i + 1) % lines);
    system.memory.write(kData + 64 * i, &next, 8);
  }
  system.core.hart().set_user_entry(kCode, 0);
  system.core.hart().state().x[2] = kData;
  std::vector<uint32_t> program(64, ld(2, 2, 0));
  program.push_back(jal(0, -4 * 64));
  system.load(program);
  EXPECT_EQ(system.core.run_until({lines + lines / 64, 0, 0}), core::CoreStop::kUserLimit);
  system.core.reset_statistics();
  EXPECT_EQ(system.core.run_until({lines + lines / 64, 0, 0}), core::CoreStop::kUserLimit);
  const core::PipelineStats& stats = system.core.stats();
  uint64_t sum = 0;
  for (const uint64_t cycles : stats.cpi) sum += cycles;
  EXPECT_EQ(sum, stats.cycles);
  const double rest = static_cast<double>(stats.cycles - stats.cpi[0]);
  EXPECT_GT(static_cast<double>(stats.cpi[static_cast<unsigned>(level)]), 0.85 * rest);
}

// 32 KB of first level, 1 MB of second.
INSTANTIATE_TEST_SUITE_P(Levels, ChargedLoadChain,
                         testing::Values(std::make_pair(uint64_t{256}, core::CpiClass::kL1),
                                         std::make_pair(uint64_t{4096}, core::CpiClass::kL2),
                                         std::make_pair(uint64_t{65536}, core::CpiClass::kDram)),
                         [](const auto& chain) {
                           return "Lines" + std::to_string(chain.param.first);
                         });

TEST(Core, TheProgressCallbackCanStopIt) {
  System system;
  system.load(endless_loop());
  unsigned calls = 0;
  EXPECT_EQ(system.core.run_until({}, [&] { return ++calls < 3; }), core::CoreStop::kCancelled);
  EXPECT_EQ(calls, 3u);
}

// The quantum is an implementation detail of speed: one number of cycles for all of them. (One
// process elaborates one system, so the runs are compared through that number; a change of the
// model that is meant changes it once.)
constexpr uint64_t kCyclesAtAnyQuantum = 1060;

class Quantum : public testing::TestWithParam<uint64_t> {};

TEST_P(Quantum, DoesNotChangeTheCycles) {
  System system(GetParam());
  system.core.hart().set_user_entry(kCode, 0);
  system.core.hart().state().x[2] = 0x30000;
  std::vector<uint32_t> program;
  for (int i = 0; i < 40; ++i) {
    program.push_back(ld(1, 2, 0));
    program.push_back(sd(1, 2, 8));
    program.push_back(addi(2, 2, 1024));
  }
  program.push_back(ecall());
  system.load(program);
  EXPECT_EQ(system.core.run_until({}), core::CoreStop::kHart);
  EXPECT_EQ(system.core.stats().user, 120u);
  EXPECT_EQ(system.core.stats().cycles, kCyclesAtAnyQuantum);
}

INSTANTIATE_TEST_SUITE_P(OneToMany, Quantum, testing::Values(1, 7, 1000, 100000));

}  // namespace
}  // namespace strobe::test
