// Statistics over real components: one call resets all of them, and intervals add up to the totals.
#include "sc_models/machine/outcome/statistics.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

#include "sc_models/core/core.h"
#include "sc_models/memory/cache.h"
#include "sc_models/memory/dram.h"
#include "sc_models/memory/interconnect.h"
#include "tests/timing/core/encode.h"

namespace strobe::platform {
namespace {

constexpr uint64_t kCode = 0x10000, kData = 0x40000;

/// The wiring of the timing platform, with small caches, and a program that never ends.
class System : public core::CoreDelegate {
 public:
  isa::GuestMemory guest;
  Clock clock{1.0};
  core::CoreParams params = small_core();
  core::Core core{"core", params, clock, guest, {this}};
  memory::Cache l1i{"l1i", params.memory.l1i, clock}, l1d{"l1d", params.memory.l1d, clock};
  memory::Cache l2{"l2", params.memory.l2, clock};
  memory::Interconnect bus{"bus", 1, {{0, memory::Dram::kSize}}, params.memory.bus_latency, clock};
  memory::Dram dram{"dram", guest, params.memory.dram_latency, params.memory.dram_interval, clock};
  Statistics statistics;

  System() {
    guest.protect(0, 0x100000, 7, 7);
    l1i.initiator_socket.bind(l2.target_socket);
    l1d.initiator_socket.bind(l2.target_socket);
    l2.initiator_socket.bind(bus.target_sockets[0]);
    bus.initiator_sockets[0].bind(dram.target_socket);
    core.device_socket.bind(devices_.target_sockets[0]);
    devices_.initiator_sockets[0].bind(nothing_.target_socket);
    core.bind_caches(l1i, l1d);
    statistics.add("core", core);
    statistics.add("l1i", l1i);
    statistics.add("l1d", l1d);
    statistics.add("l2", l2);
    statistics.add("bus", bus);
    statistics.add("dram", dram);
    load();
  }
  /// Runs so many cycles more; an ECALL of the program is answered and goes on.
  void run(uint64_t cycles) {
    EXPECT_EQ(core.run_until({0, cycles, 0}), core::CoreStop::kCycleLimit);
  }
  void run_instructions(uint64_t count) {
    EXPECT_EQ(core.run_until({count, 0, 0}), core::CoreStop::kUserLimit);
  }
  isa::EcallResult ecall(isa::Hart&) override { return isa::EcallResult::kResume; }
  uint64_t time() override { return 0; }

 private:
  static core::CoreParams small_core() {
    core::CoreParams params;
    params.predictor.kind = "static";
    params.memory.l1d.size = params.memory.l1i.size = 512;
    params.memory.l2.size = 4096;
    params.memory.l1d.mshrs = 2;
    params.store_queue = 4;
    return params;
  }
  // Strides through 64 KB with loads and stores, computes, mispredicts, calls, and starts again.
  void load() {
    using namespace strobe::test;
    const std::vector<uint32_t> loop = {
        ld(1, 2, 0),     sd(1, 2, 64), ld(3, 2, 64),    ld(4, 2, 192), sb(4, 2, 200),
        ld(5, 2, 200),   mul(6, 6, 6), div(7, 7, 6),    add(8, 8, 7),  beq(0, 0, 8),
        nop(),           jal(1, 8),    nop(),           test::ecall(), 0x0000100f,
        addi(2, 2, 256), beq(2, 9, 8), jal(0, -17 * 4), add(2, 10, 0), jal(0, -19 * 4)};
    guest.write(kCode, loop.data(), loop.size() * 4);
    isa::HartState& state = core.hart().state();
    state.x[2] = state.x[10] = kData;
    state.x[9] = kData + 0x10000;
    state.mode = PrivilegeMode::kUser;
    state.pc = kCode;
    core.restart();
  }

  memory::Interconnect devices_{"devices", 1, {{STROBE_DEVICE_BASE, 0x1000}}, 0, clock};
  memory::Dram nothing_{"nothing", guest, 1, 1, clock};
};

// Instructions, a multiple of commit_width: no part of a base cycle is saved up then. And cycles.
constexpr uint64_t kBefore = 2404, kAfter = 50023;

/// The components' counters for kAfter cycles that follow kBefore instructions without a reset.
Counters counts_without_reset() {
  System system;
  system.run_instructions(kBefore);
  const Counters before = system.statistics.read();
  system.run(kAfter);
  Counters counts = system.statistics.read();
  for (auto& [name, value] : counts) value -= before.at(name);
  return counts;
}

std::string text(const Counters& counters) {
  std::string out;
  for (const auto& [name, value] : counters) out += name + " " + std::to_string(value) + "\n";
  return out;
}

/// The same from another process, because one process elaborates one system.
std::string counts_of_another_process() {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  EXPECT_GE(child, 0);
  if (child == 0) {
    const std::string counts = text(counts_without_reset());
    const bool sent =
        write(ends[1], counts.data(), counts.size()) == static_cast<ssize_t>(counts.size());
    _exit(sent && !testing::Test::HasFailure() ? 0 : 1);
  }
  close(ends[1]);
  std::string received;
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
    received.append(buffer, static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return received;
}

TEST(Statistics, AfterAResetEverythingIsZeroAndCountsAsIfItHadJustBeenBuilt) {
  const std::string expected = counts_of_another_process();
  System system;
  system.run_instructions(kBefore);
  size_t counted = 0;
  for (const auto& [name, value] : system.statistics.read()) counted += value != 0;
  EXPECT_GT(counted, 45u) << "the program does not exercise the counters:\n"
                          << text(system.statistics.read());
  system.statistics.reset();
  for (const auto& [name, value] : system.statistics.read()) EXPECT_EQ(value, 0u) << name;
  system.run(kAfter);
  EXPECT_EQ(text(system.statistics.read()), expected);
}

TEST(Statistics, IntervalsAddUpToTheTotalsAndBeginAnewAtAReset) {
  System system;
  system.statistics.end_interval();
  EXPECT_TRUE(system.statistics.intervals().rows.empty()) << "nothing has been counted";
  system.core.set_interval(500, [&] { system.statistics.end_interval(); });
  system.run_instructions(kBefore);
  EXPECT_FALSE(system.statistics.intervals().rows.empty());
  system.statistics.reset();
  EXPECT_TRUE(system.statistics.intervals().rows.empty());
  system.run(kAfter);
  system.core.set_interval(0, {});
  const size_t whole = system.statistics.intervals().rows.size();
  system.run(100);
  EXPECT_EQ(system.statistics.intervals().rows.size(), whole) << "intervals are off";
  system.statistics.end_interval();
  const IntervalTable& table = system.statistics.intervals();
  EXPECT_GT(table.rows.size(), 5u);
  const Counters totals = system.statistics.read();
  ASSERT_EQ(table.names.size(), totals.size());
  for (size_t column = 0; column < table.names.size(); ++column) {
    uint64_t sum = 0;
    for (const auto& row : table.rows) sum += row.at(column);
    EXPECT_EQ(sum, totals.at(table.names[column])) << table.names[column];
  }
}

}  // namespace
}  // namespace strobe::platform
