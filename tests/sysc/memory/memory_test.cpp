// The memory system obeys its protocols (TLM delays, debug access, DMI, errors) and has the
// configured latencies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <systemc>

#include "sc_models/memory/cache.h"
#include "sc_models/memory/dram.h"
#include "sc_models/memory/interconnect.h"

namespace strobe::memory {
namespace {

class Master : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Master> socket;
  unsigned invalidations = 0;

  Master(sc_core::sc_module_name name, const Clock& clock)
      : sc_module(name), socket("socket"), clock_(clock) {
    socket.register_invalidate_direct_mem_ptr(this, &Master::invalidate);
  }

  static void fill(tlm::tlm_generic_payload& p, tlm::tlm_command command, uint64_t address,
                   void* data, unsigned size) {
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(static_cast<unsigned char*>(data));
    p.set_data_length(size);
    p.set_streaming_width(size);
    p.set_byte_enable_ptr(nullptr);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  /// The cycle at which an access presented at cycle `now` is answered.
  uint64_t access(tlm::tlm_command command, uint64_t address, void* data, unsigned size,
                  uint64_t now) {
    tlm::tlm_generic_payload p;
    fill(p, command, address, data, size);
    sc_core::sc_time delay = clock_.delay_until(now);
    socket->b_transport(p, delay);
    status = p.get_response_status();
    return clock_.cycle_at(delay);
  }
  uint64_t read(uint64_t address, uint64_t now) {
    uint64_t unused = 0;
    return access(tlm::TLM_READ_COMMAND, address, &unused, 8, now);
  }
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;

 private:
  void invalidate(sc_dt::uint64, sc_dt::uint64) { ++invalidations; }
  const Clock clock_;
};

// master -> cache -> bus -> DRAM; one a test, because one process elaborates once.
struct Chain {
  static constexpr unsigned kLatency = 3, kBus = 2, kDram = 100, kInterval = 8;
  static constexpr unsigned kMiss = kLatency + kBus + kDram + kBus;

  isa::GuestMemory memory;
  Clock clock{1.0};
  Cache cache;
  Interconnect bus;
  Dram dram;
  Master master, other;

  explicit Chain(unsigned mshrs = 4)
      : cache("cache", CacheParams{1024, 2, 64, kLatency, mshrs}, clock),
        bus("bus", 2, {{0, 0x100000}}, kBus, clock),
        dram("dram", memory, kDram, kInterval, clock),
        master("master", clock),
        other("other", clock) {
    master.socket.bind(cache.target_socket);
    cache.initiator_socket.bind(bus.target_sockets[0]);
    other.socket.bind(bus.target_sockets[1]);
    bus.initiator_sockets[0].bind(dram.target_socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  uint64_t load(uint64_t address, uint64_t now) {
    return cache.access(address, AccessKind::kLoad, now);
  }
  uint64_t store(uint64_t address, uint64_t now) {
    return cache.access(address, AccessKind::kStore, now);
  }
  uint64_t count(const char* name) { return cache.statistics().at(name); }
};

constexpr uint64_t kSetStride = 512;  // 1024 bytes, 2 ways: 8 sets of 64

TEST(Cache, AMissCostsEveryLevelAndAHitItsLatency) {
  Chain c;
  EXPECT_EQ(c.load(0x1000, 10), 10 + Chain::kMiss);
  EXPECT_EQ(c.load(0x1008, 500), 500 + Chain::kLatency);
  EXPECT_EQ(c.count("misses"), 1u);
  EXPECT_EQ(c.count("accesses"), 2u);
}

TEST(Cache, AnAccessToALineInFlightIsMergedAndComesWithIt) {
  Chain c(1);
  const uint64_t there = c.load(0x1000, 10);
  EXPECT_EQ(c.load(0x1020, 20), there);
  EXPECT_EQ(c.load(0x1020, there - Chain::kLatency), there);
  EXPECT_EQ(c.load(0x1020, there - Chain::kLatency + 1), there + 1);
  EXPECT_EQ(c.count("misses"), 1u);
  EXPECT_EQ(c.count("merged"), 1u);
}

TEST(Cache, OneMissMoreThanMissRegistersIsTurnedAwayUntilOneIsFree) {
  Chain c(2);
  const uint64_t first = c.load(0x1000, 10);
  EXPECT_NE(c.load(0x1040, 10), 0u);
  EXPECT_EQ(c.load(0x1080, 10), 0u);
  EXPECT_EQ(c.load(0x1080, first - 1), 0u);
  EXPECT_NE(c.load(0x1080, first), 0u);
  EXPECT_EQ(c.count("mshr_stalls"), 2u);
}

TEST(Cache, ASetWhoseWaysAreAllInFlightTakesNoOtherLine) {
  Chain c(4);
  const uint64_t first = c.load(0, 10);
  EXPECT_NE(c.load(kSetStride, 10), 0u);
  EXPECT_EQ(c.load(2 * kSetStride, first - 1), 0u);
  EXPECT_NE(c.load(2 * kSetStride, first), 0u);
  EXPECT_EQ(c.count("set_stalls"), 1u);
}

TEST(Cache, ReplacesTheLeastRecentlyUsedWay) {
  Chain c;
  c.load(0, 0);
  c.load(kSetStride, 1000);
  c.load(0, 2000);               // now kSetStride is the older one
  c.load(2 * kSetStride, 3000);  // and goes
  EXPECT_EQ(c.load(0, 4000), 4000 + Chain::kLatency);
  EXPECT_EQ(c.load(kSetStride, 5000), 5000 + Chain::kMiss);
}

TEST(Cache, WritesBackADirtyLineAndOnlyThat) {
  Chain c;
  c.load(0, 0);
  c.store(kSetStride, 1000);
  c.load(2 * kSetStride, 2000);  // evicts the clean line 0
  EXPECT_EQ(c.dram.statistics().at("writes"), 0u);
  c.load(3 * kSetStride, 3000);  // evicts the dirty one
  EXPECT_EQ(c.dram.statistics().at("writes"), 1u);
  EXPECT_EQ(c.count("writebacks"), 1u);
}

TEST(Cache, AWriteBackTakesBandwidth) {
  Chain c;
  c.store(0, 0);
  c.load(kSetStride, 1000);
  c.load(2 * kSetStride, 2000);  // read in the slot at t, write-back in the next
  const uint64_t start = 2000 + Chain::kLatency + Chain::kBus;
  c.load(64, 2001);
  EXPECT_EQ(c.dram.statistics().at("writes"), 1u);
  EXPECT_EQ(c.load(128, 2001) - Chain::kBus - Chain::kDram, start + 3 * Chain::kInterval);
}

TEST(Cache, AWriteBackDoesNotLookLikeNewCode) {
  Chain c;
  uint64_t value = 42;
  c.memory.write(0, &value, 8);
  const uint64_t epoch = c.memory.code_epoch();
  c.store(0, 0);
  c.load(kSetStride, 1000);
  c.load(2 * kSetStride, 2000);
  EXPECT_EQ(c.count("writebacks"), 1u);
  EXPECT_EQ(c.memory.code_epoch(), epoch);
}

TEST(Cache, AWholeLineWrittenFromAboveIsNotReadFromBelow) {
  Chain c;
  unsigned char line[64];
  std::memset(line, 7, sizeof line);
  EXPECT_EQ(c.master.access(tlm::TLM_WRITE_COMMAND, 0x40, line, 64, 10), 10 + Chain::kLatency);
  EXPECT_EQ(c.dram.statistics().at("reads"), 0u);
  EXPECT_EQ(c.master.read(0x40, 100), 100 + Chain::kLatency);
}

TEST(Cache, ATlmMasterReadsWhatItWroteAndTheTimesOfThePort) {
  Chain c;
  uint64_t value = 0x1122334455667788;
  EXPECT_EQ(c.master.access(tlm::TLM_WRITE_COMMAND, 0x1038, &value, 8, 10), 10 + Chain::kMiss);
  EXPECT_EQ(c.master.status, tlm::TLM_OK_RESPONSE);
  uint64_t back = 0;
  EXPECT_EQ(c.master.access(tlm::TLM_READ_COMMAND, 0x1038, &back, 8, 500), 500 + Chain::kLatency);
  EXPECT_EQ(back, value);
  back = 0;
  std::memcpy(&back, c.memory.data() + 0x1038, 8);
  EXPECT_EQ(back, value) << "the memory below is always true";
}

TEST(Cache, ATlmAccessWaitsForAMissRegisterInItsDelay) {
  Chain c(1);
  const uint64_t first = c.master.read(0, 10);
  EXPECT_EQ(c.master.read(64, 20), first + Chain::kMiss);
}

TEST(Cache, AnAccessOverTwoLinesTouchesBoth) {
  Chain c;
  c.master.read(0x103c, 10);
  EXPECT_EQ(c.count("misses"), 2u);
}

TEST(Cache, AnUnmappedAddressIsAnAddressErrorAndIsNotKept) {
  Chain c;
  for (int i = 0; i < 2; ++i) {
    c.master.read(0x200000, 10);
    EXPECT_EQ(c.master.status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  EXPECT_EQ(c.count("misses"), 0u);
}

TEST(Cache, AnUnmappedAddressOnTheTimingPortIsAnErrorThatNamesIt) {
  Chain c;
  EXPECT_THAT([&] { c.load(0x200000, 10); },
              testing::ThrowsMessage<sc_core::sc_report>(
                  testing::HasSubstr("cache: no memory at 0x200000")));
}

TEST(Cache, RefusesByteEnablesAndStreaming) {
  Chain c;
  uint64_t data = 0;
  unsigned char enable = 0xff;
  tlm::tlm_generic_payload p;
  Master::fill(p, tlm::TLM_READ_COMMAND, 0, &data, 8);
  p.set_byte_enable_ptr(&enable);
  p.set_byte_enable_length(1);
  sc_core::sc_time delay;
  c.master.socket->b_transport(p, delay);
  EXPECT_EQ(p.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  Master::fill(p, tlm::TLM_READ_COMMAND, 0, &data, 8);
  p.set_streaming_width(4);
  c.master.socket->b_transport(p, delay);
  EXPECT_EQ(p.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST(Cache, DebugAccessPassesThroughWithoutTimeOrCounts) {
  Chain c;
  uint32_t value = 0xcafe;
  tlm::tlm_generic_payload p;
  Master::fill(p, tlm::TLM_WRITE_COMMAND, 0x2000, &value, 4);
  EXPECT_EQ(c.master.socket->transport_dbg(p), 4u);
  value = 0;
  Master::fill(p, tlm::TLM_READ_COMMAND, 0x2000, &value, 4);
  EXPECT_EQ(c.master.socket->transport_dbg(p), 4u);
  EXPECT_EQ(value, 0xcafeu);
  p.set_address(0x200000);
  EXPECT_EQ(c.master.socket->transport_dbg(p), 0u);
  EXPECT_EQ(c.count("accesses"), 0u);
}

TEST(Cache, DmiReachesTheGuestMemoryClippedToTheBusRange) {
  Chain c;
  tlm::tlm_generic_payload p;
  Master::fill(p, tlm::TLM_READ_COMMAND, 0x2000, nullptr, 8);
  tlm::tlm_dmi dmi;
  ASSERT_TRUE(c.master.socket->get_direct_mem_ptr(p, dmi));
  EXPECT_EQ(dmi.get_dmi_ptr(), c.memory.data());
  EXPECT_EQ(dmi.get_start_address(), 0u);
  EXPECT_EQ(dmi.get_end_address(), 0xfffffu);
  p.set_address(0x200000);
  EXPECT_FALSE(c.master.socket->get_direct_mem_ptr(p, dmi));
}

TEST(Cache, DmiInvalidationReachesEveryInitiator) {
  Chain c;
  c.dram.target_socket->invalidate_direct_mem_ptr(0, 100);
  EXPECT_EQ(c.master.invalidations, 1u);
  EXPECT_EQ(c.other.invalidations, 1u);
}

TEST(Cache, ResetForgetsCountsAndKeepsLines) {
  Chain c;
  c.load(0, 10);
  c.cache.reset_statistics();
  EXPECT_EQ(c.count("accesses"), 0u);
  EXPECT_EQ(c.load(0, 500), 500 + Chain::kLatency);
}

TEST(Cache, ItsDumpNamesTheLinesInFlight) {
  Chain c;
  const uint64_t there = c.load(0x1000, 10);
  EXPECT_THAT(c.cache.dump_state(20),
              testing::HasSubstr("line 0x1000 arrives at cycle " + std::to_string(there)));
  EXPECT_THAT(c.cache.dump_state(there), testing::Not(testing::HasSubstr("0x1000")));
}

TEST(Cache, AnImpossibleGeometryIsRefused) {
  const Clock clock(1.0);
  EXPECT_THAT(
      [&] {
        Cache("bad", CacheParams{1000, 2, 64, 1, 8}, clock);
      },
      testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr("got size 1000")));
}

TEST(Dram, RequestsAreAnIntervalApart) {
  Chain c;
  const uint64_t first = c.other.read(0, 0);
  EXPECT_EQ(first, 2 * Chain::kBus + Chain::kDram);
  EXPECT_EQ(c.other.read(64, 0), first + Chain::kInterval);
  EXPECT_EQ(c.other.read(128, 1), first + 2 * Chain::kInterval);
  EXPECT_EQ(c.other.read(192, 1000), 1000 + first);
}

TEST(Interconnect, OneTargetTakesOneRequestACycle) {
  Chain c;
  c.other.read(0, 50);
  c.other.read(64, 50);
  c.other.read(128, 50);
  EXPECT_EQ(c.bus.statistics().at("wait_cycles"), 0u + 1 + 2);
}

TEST(Interconnect, OverlappingRangesAreRefusedWithBoth) {
  const Clock clock(1.0);
  EXPECT_THAT(
      [&] {
        Interconnect("bad", 1, {{0, 0x1000}, {0x800, 0x1000}}, 1, clock);
      },
      testing::ThrowsMessage<std::invalid_argument>(
          "bad: range 1 (0x800, 0x1000 bytes) overlaps range 0 (0x0, 0x1000 bytes)"));
}

TEST(Clock, RoundsThePeriodToPicosecondsAndConvertsBothWays) {
  const Clock clock(3.0);
  EXPECT_EQ(clock.period_ps(), 333u);
  for (const uint64_t cycle : {0u, 1u, 999u}) {
    EXPECT_EQ(clock.cycle_of(clock.time_of(cycle)), cycle);
  }
  EXPECT_EQ(clock.cycle_of(sc_core::sc_time(334, sc_core::SC_PS)), 2u);
  EXPECT_THAT([] { Clock(0.0); }, testing::ThrowsMessage<std::invalid_argument>(
                                      testing::HasSubstr("frequency_ghz must be above 0")));
}

}  // namespace
}  // namespace strobe::memory
