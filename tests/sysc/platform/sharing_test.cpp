// Guest programs on several cores: the cost of sharing follows from the two latencies in closed
// form, and the programs compute the right results.
#include <tuple>

#include "tests/sysc/platform/harts.h"

namespace strobe::platform {
namespace {

constexpr uint64_t kTimes = 1000;

SystemParams with(unsigned transfer, unsigned invalidate, uint64_t quantum = 1) {
  SystemParams params;
  params.coherence.transfer_latency = transfer;
  params.coherence.invalidate_latency = invalidate;
  params.quantum = quantum;
  return params;
}

std::vector<Program> on_each(unsigned cores, const Program& program) {
  return std::vector<Program>(cores, program);
}

// Long enough for a core to have its next atomic ready while the others have the line.
class TransferLatency : public testing::TestWithParam<unsigned> {};
constexpr uint64_t kStart = 249;  // cycles until the line moves the first time, and after the last

TEST_P(TransferLatency, IsWhatEachAtomicIncrementOfASharedCounterCosts) {
  Harts h(with(GetParam(), 20), on_each(2, {"amo_increment", {kData, kTimes}}));
  h.run();
  EXPECT_EQ(h.word(kData), 2 * kTimes);
  EXPECT_EQ(h.coherence("transfers"), 2 * kTimes - 1);
  EXPECT_EQ(h.cycles(), kStart + (2 * kTimes - 1) * GetParam());
}

TEST_P(TransferLatency, IsPaidForTwoCountersInOneLineAsForOne) {
  Harts h(with(GetParam(), 20),
          {{"amo_increment", {kData, kTimes}}, {"amo_increment", {kData + 8, kTimes}}});
  h.run();
  EXPECT_EQ(h.word(kData), kTimes);
  EXPECT_EQ(h.word(kData + 8), kTimes);
  EXPECT_EQ(h.coherence("transfers"), 2 * kTimes - 1);
  EXPECT_EQ(h.cycles(), kStart + (2 * kTimes - 1) * GetParam());
}

INSTANTIATE_TEST_SUITE_P(BeforeAndAt, TransferLatency, testing::Values(30, 31, 40));

TEST(FalseSharing, OfTwoCountersIsGoneWhenEachHasALineOfItsOwn) {
  Harts h(with(30, 20),
          {{"amo_increment", {kData, kTimes}}, {"amo_increment", {kData + kLine, kTimes}}});
  h.run();
  EXPECT_EQ(h.coherence("transfers"), 0u);
  EXPECT_EQ(h.coherence("invalidations"), 0u);
  // Each waits for its own pipeline only: a twelfth of what the shared line costs.
  EXPECT_LT(h.cycles() * 11, kStart + (2 * kTimes - 1) * 30);
}

TEST(FalseSharing, OfPlainStoresMovesTheLineLessOftenThanItIsWritten) {
  Harts h(with(30, 20),
          {{"store_increment", {kData, kTimes}}, {"store_increment", {kData + 8, kTimes}}});
  h.run();
  EXPECT_EQ(h.word(kData), kTimes);
  EXPECT_EQ(h.word(kData + 8), kTimes);
  EXPECT_GT(h.coherence("transfers"), kTimes / 10);
  EXPECT_LT(h.coherence("transfers"), kTimes / 5) << "stores gather in the line that is on its way";
}

// From a store's write to that of the other core which has waited for it: the write takes the line
// (latency of the first level, invalidation), the spinning load fetches it (transfer), and the
// mispredicted branch, the front end, issue, addi, sd, commit and write follow.
class PingPong : public testing::TestWithParam<std::tuple<unsigned, unsigned, unsigned>> {};

TEST_P(PingPong, OverAFlagCostsATransferAndAnInvalidationEachWay) {
  const auto [transfer, invalidate, quantum] = GetParam();
  const SystemParams params = with(transfer, invalidate, quantum);
  Harts h(params, on_each(2, {"ping_pong", {kData, kTimes}}));
  h.run();
  EXPECT_EQ(h.word(kData), 2 * kTimes);
  const unsigned pipeline = 1 + params.core.front_end_stages + 1 + 1 + 1 + 1 + 1;
  const unsigned way = params.core.memory.l1d.latency + invalidate + transfer + pipeline;
  EXPECT_EQ(h.cycles() / kTimes, 2 * way);
}

INSTANTIATE_TEST_SUITE_P(BeforeAndAt, PingPong,
                         testing::Values(std::make_tuple(30, 20, 1), std::make_tuple(31, 20, 1),
                                         std::make_tuple(30, 21, 1), std::make_tuple(60, 40, 1)));
// Whatever the quantum, up to the latency in which a line gets from one core to the other.
INSTANTIATE_TEST_SUITE_P(AnyShortQuantum, PingPong,
                         testing::Values(std::make_tuple(30, 20, 2), std::make_tuple(30, 20, 10),
                                         std::make_tuple(30, 20, 20)));

// A round takes 128 cycles; the cores run in turn.
class LongQuantum : public testing::TestWithParam<unsigned> {};

TEST_P(LongQuantum, RoundsARoundUpToWholeQuanta) {
  const unsigned quantum = GetParam();
  Harts h(with(30, 20, quantum), on_each(2, {"ping_pong", {kData, kTimes}}));
  h.run();
  EXPECT_EQ(h.word(kData), 2 * kTimes);
  const unsigned whole = (128 + quantum - 1) / quantum * quantum;
  EXPECT_NEAR(static_cast<double>(h.cycles()) / kTimes, whole, 1);
}

INSTANTIATE_TEST_SUITE_P(BeyondATransfer, LongQuantum, testing::Values(50, 100, 200, 1000));

TEST(FourCores, CountTogetherAndPayForEachTransfer) {
  Harts h(with(30, 20), on_each(4, {"amo_increment", {kData, kTimes}}));
  h.run();
  EXPECT_EQ(h.word(kData), 4 * kTimes);
  EXPECT_EQ(h.coherence("transfers"), 4 * kTimes - 1);
  const uint64_t moved = (4 * kTimes - 1) * 30;
  EXPECT_GE(h.cycles(), moved);
  EXPECT_LT(h.cycles(), moved + 2 * kStart);
}

TEST(FourCores, CountTogetherWithReservations) {
  Harts h(SystemParams(), on_each(4, {"lrsc_increment", {kData, kTimes}}));
  h.run();
  EXPECT_EQ(h.word(kData), 4 * kTimes);
}

TEST(Reservations, AreLostAndTheCountIsRight) {
  Harts h(with(30, 20), on_each(2, {"lrsc_increment", {kData, kTimes}}));
  h.run();
  EXPECT_EQ(h.word(kData), 2 * kTimes);
  EXPECT_GT(h.a(0, 2), 0u) << "SCs that failed";
  EXPECT_GT(h.a(1, 2), 0u);
}

constexpr uint64_t kReserved = kData + 0x100, kSet = kData + 0x200, kDone = kData + 0x300;

TEST(Reservations, AreLostToAnotherHartsStoreIntoTheLine) {
  Harts h(SystemParams(), {{"reserve", {kReserved, 0, kSet, kDone}},
                           {"disturb", {0, kReserved + 56, kSet, kDone}}});
  h.run();
  EXPECT_EQ(h.a(0, 4), 1u);
}

TEST(Reservations, SurviveAnotherHartsStoreBesideTheLineAndTheHartsOwn) {
  Harts h(SystemParams(), {{"reserve", {kReserved, 0, kSet, kDone}},
                           {"disturb", {0, kReserved + 64, kSet, kDone}}});
  h.run();
  EXPECT_EQ(h.a(0, 4), 0u);
}

constexpr uint64_t kSum = kTimes + 3 * kTimes * (kTimes - 1) / 2;  // the sum of 3 i + 1

TEST(Ring, PassesEverythingInOrder) {
  Harts h(SystemParams(), {{"produce", {kData, kTimes}}, {"consume", {kData, kTimes}}});
  h.run();
  EXPECT_EQ(h.a(1, 2), kSum);
  EXPECT_EQ(h.word(kData), kTimes);
  EXPECT_EQ(h.word(kData + 64), kTimes);
}

// Fills the ring of `consume` as a DMA engine does: over TLM-2.0, without caches or extension.
class RingWriter : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<RingWriter> socket;

  explicit RingWriter(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(RingWriter);
    SC_THREAD(thread);
  }

 private:
  void thread() {
    for (uint64_t i = 0; i < kTimes; ++i) {
      while (i - access(tlm::TLM_READ_COMMAND, kData + 64, 0) >= 16) {
      }
      access(tlm::TLM_WRITE_COMMAND, kData + 128 + i % 16 * 8, 3 * i + 1);
      access(tlm::TLM_WRITE_COMMAND, kData, i + 1);
    }
  }
  uint64_t access(tlm::tlm_command command, uint64_t address, uint64_t value) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(sizeof value);
    payload.set_streaming_width(sizeof value);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    EXPECT_TRUE(payload.is_response_ok());
    wait(delay);
    return value;
  }
};

TEST(Ring, IsFilledByAMasterWithoutCachesBesideTheCores) {
  Harts h(SystemParams(), {{"consume", {kData, kTimes}}, {"finish", {}}});
  RingWriter writer("writer");
  writer.socket.bind(h.system.directory().master_socket);
  h.run();
  EXPECT_EQ(h.a(0, 2), kSum);
}

// A store is seen by the other hart when it reaches the cache, and loads pass it until then; the
// hart itself sees it at once.
TEST(Stores, MayBePassedByYoungerLoads) {
  Harts h(with(30, 20),
          {{"set_and_look", {kData, kData + kLine}}, {"set_and_look", {kData + kLine, kData}}});
  h.run();
  EXPECT_EQ(h.a(0, 2) + h.a(1, 2), 0u) << "both look before either has stored";
}

TEST(Stores, AreNotPassedOverAFence) {
  Harts h(with(30, 20), {{"set_fence_and_look", {kData, kData + kLine}},
                         {"set_fence_and_look", {kData + kLine, kData}}});
  h.run();
  EXPECT_GE(h.a(0, 2) + h.a(1, 2), 1u);
}

TEST(Cores, HaveNamesOfTheirOwnInTheStatistics) {
  Harts h(SystemParams(), on_each(2, {"amo_increment", {kData, 10}}));
  Statistics statistics;
  h.system.add_to(statistics);
  h.run();
  const Counters counters = statistics.read();
  for (const char* core : {"core0", "core1"}) {
    EXPECT_EQ(counters.at(std::string(core) + ".class.amo"), 10u);
  }
  for (const char* name : {"l1i0.misses", "l1d0.misses", "l1i1.misses", "l1d1.misses",
                           "directory.transfers", "l2.misses", "bus.transactions", "dram.reads"}) {
    EXPECT_GT(counters.at(name), 0u) << name;
  }
  EXPECT_EQ(counters.count("core.cycles"), 0u);
}

TEST(Cores, StopOneByOneAndSayWhatTheyHold) {
  SystemParams params;
  params.core.watchdog_cycles = 2000;
  Harts h(params, {{"idle", {}}, {"amo_increment", {kData, kTimes}}});
  for (unsigned i = 0; i < 2; ++i) h.system.core(i).start({});
  while (h.system.core(1).running()) sc_core::sc_start();
  EXPECT_EQ(h.system.core(0).finish(), core::CoreStop::kDeadlock);
  EXPECT_EQ(h.system.core(1).finish(), core::CoreStop::kHart);
  EXPECT_EQ(h.word(kData), kTimes) << "the other one went on";
  const std::string cores = h.system.dump_cores(), memory = h.system.dump_memory();
  for (const char* part : {"core0: ", "core1: "}) EXPECT_NE(cores.find(part), std::string::npos);
  for (const char* part : {"l1i0:", "l1d1:", "directory: ", "l2:", "bus:", "dram:"}) {
    EXPECT_NE(memory.find(part), std::string::npos) << memory;
  }
}

}  // namespace
}  // namespace strobe::platform
