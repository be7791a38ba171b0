// Do the ring writer's words get to memory over TLM-2.0, one after another?
#include "sc_models/profiling/device/ring_dma.h"

#include <gmock/gmock.h>
#include <tlm_utils/simple_target_socket.h>

#include <map>
#include <stdexcept>

#include "tests/sysc/profiling/device_bench.h"

namespace strobe::profiling {
namespace {

constexpr uint64_t kBase = 0x4000, kLatency = 10;

/// Takes records below 64 KB, each in kLatency cycles.
class Memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Memory::b_transport);
  }
  std::map<uint64_t, uint64_t> words;
  std::vector<sc_core::sc_time> times;  // by write

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    EXPECT_TRUE(payload.is_write());
    EXPECT_EQ(payload.get_data_length(), 32u);
    if (payload.get_address() >= 0x10000) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    for (unsigned at = 0; at < 32; at += 8) {
      std::memcpy(&words[payload.get_address() + at], payload.get_data_ptr() + at, 8);
    }
    times.push_back(delay);
    delay += sc_core::sc_time(kLatency, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

PathParams with_ring() {
  PathParams params = small();
  params.ring = 1;
  return params;
}

class RingDmaTest : public testing::Test {
 protected:
  RingDmaTest() : bench(make_accelerated_path(with_ring())) {
    dma.socket.bind(memory.socket);
    bench.device.set_memory(dma);
  }

  void start(uint64_t base) {
    bench.start(1);
    bench.write(kRegRingConfig, 2);
    bench.cycle();
    bench.write(kRegRingBase, base);
    bench.cycle();
    bench.write(kRegRingCtrl, kRingCtrlEnable);
    bench.cycle();
  }

  Clock clock{1.0};
  Memory memory{"memory"};
  std::vector<uint64_t> records;
  RingDma dma{"dma", clock, [this](uint64_t cycle) { records.push_back(cycle); }};
  Bench bench;
};

TEST_F(RingDmaTest, WritesEachMessageAsOneBurstAfterTheOneBefore) {
  start(kBase);
  for (uint64_t value = 0; value < 3; ++value) bench.cycle({load(value, 0x1000 + 4 * value)});
  bench.cycles(400);
  EXPECT_FALSE(bench.device.busy());
  ASSERT_EQ(memory.words.size(), 12u);
  for (uint64_t number = 0; number < 3; ++number) {
    const uint64_t at = kBase + 32 * number;
    EXPECT_EQ(memory.words[at], number << 32 | number) << "as many events as messages before it";
    EXPECT_EQ(memory.words[at + 8], 0x1000 + 4 * number);
    EXPECT_EQ(memory.words[at + 16], number);
    EXPECT_EQ(memory.words[at + 24], uint64_t{1} << 60 | number << 32 | 1);
  }
  ASSERT_EQ(memory.times.size(), 3u);
  for (size_t i = 1; i < memory.times.size(); ++i) {
    EXPECT_GE(memory.times[i] - memory.times[i - 1], sc_core::sc_time(kLatency, sc_core::SC_NS));
  }
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[2], clock.cycle_of(memory.times.back()) + kLatency);
  EXPECT_EQ(bench.read(kRegRingProd), 3u);
}

TEST_F(RingDmaTest, AFullRingWaitsForSoftwareAndTheDeviceStaysBusy) {
  start(kBase);
  for (uint64_t value = 0; value < 6; ++value) bench.cycle({load(value)});
  bench.cycles(1000);
  EXPECT_TRUE(bench.device.busy());
  EXPECT_EQ(bench.device.ring_high_water(), 4u);
  EXPECT_GT(bench.device.ring_stalls(), 500u);
  EXPECT_EQ(records.size(), 4u);
  bench.write(kRegRingCons, 2);
  bench.cycles(1000);
  EXPECT_EQ(records.size(), 6u);
  EXPECT_FALSE(bench.device.busy());
}

TEST_F(RingDmaTest, TheDeviceIsNotIdleBeforeTheBurstIsDone) {
  start(kBase);
  bench.cycle({load(1)});
  uint64_t status = 0;
  while (memory.times.empty() || (status & kStatusIdle) == 0) {
    bench.cycle();
    ASSERT_EQ(bench.debug(tlm::TLM_READ_COMMAND, kRegStatus, status), 8u);
    ASSERT_LT(bench.now, 1000u);
  }
  EXPECT_GT(bench.now, records.at(0));
}

TEST_F(RingDmaTest, SaysWhereItFoundNoMemory) {
  start(0x20000);
  bench.cycle({load(1)});
  try {
    bench.cycles(100);
    FAIL() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), testing::MatchesRegex(
                                  "dma: cycle [0-9]+: the ring writer wrote to 0x20000, expected "
                                  "memory there, got TLM_ADDRESS_ERROR_RESPONSE; check "
                                  "RING_BASE"));
  }
}

}  // namespace
}  // namespace strobe::profiling
