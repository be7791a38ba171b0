// Caches under a directory: the states and costs of every transition, and the protocol compared
// with a reference of a few lines on random accesses.
//
// Latencies: first level 2, second level 10, memory 100, invalidation 20, transfer 30.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <random>
#include <set>

#include "sc_models/memory/cache.h"
#include "sc_models/memory/directory.h"
#include "sc_models/memory/dram.h"

namespace strobe::memory {
namespace {

constexpr uint64_t kL1 = 2, kL2 = 10, kDram = 100, kInvalidate = 20, kTransfer = 30;
constexpr uint64_t kLine = 64, kA = 0x1000;
constexpr LineState kI = LineState::kInvalid, kS = LineState::kShared, kE = LineState::kExclusive,
                    kM = LineState::kModified;

/// A master of the base protocol, without extension: what a DMA engine is.
class Dma : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Dma> socket;
  Dma(sc_core::sc_module_name name, const Clock& clock)
      : sc_module(name), socket("socket"), clock_(clock) {}

  /// The cycle of the answer.
  uint64_t access(tlm::tlm_command command, uint64_t address, void* data, unsigned size,
                  uint64_t now) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(size);
    payload.set_streaming_width(size);
    sc_core::sc_time delay = clock_.delay_until(now);
    socket->b_transport(payload, delay);
    status = payload.get_response_status();
    dmi_allowed = payload.is_dmi_allowed();
    return clock_.cycle_at(delay);
  }
  uint64_t write(uint64_t address, uint64_t value, uint64_t now) {
    return access(tlm::TLM_WRITE_COMMAND, address, &value, sizeof value, now);
  }
  uint64_t read(uint64_t address, uint64_t now) {
    uint64_t value = 0;
    return access(tlm::TLM_READ_COMMAND, address, &value, sizeof value, now);
  }
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  bool dmi_allowed = false;

 private:
  const Clock clock_;
};

// Cores of one data cache each, and one instruction cache; DMA beside them.
struct Bench {
  isa::GuestMemory memory;
  Clock clock{1.0};
  std::vector<std::unique_ptr<Cache>> data;
  Cache code, l2;
  Directory directory;
  Dram dram;
  Dma dma;

  explicit Bench(unsigned cores = 3, CoherenceParams coherence = {kInvalidate, kTransfer},
                 unsigned mshrs = 8, uint64_t size = 1024)
      : code("code", CacheParams{size, 2, kLine, kL1, mshrs}, clock),
        l2("l2", CacheParams{64 * 1024, 4, kLine, kL2, 16}, clock),
        directory("directory", cores + 1, kLine, coherence, clock),
        dram("dram", memory, kDram, 1, clock),
        dma("dma", clock) {
    for (unsigned i = 0; i < cores; ++i) {
      const CacheParams params{size, 2, kLine, kL1, mshrs};
      data.push_back(std::make_unique<Cache>(("l1d" + std::to_string(i)).c_str(), params, clock));
      directory.attach(*data.back(), Cache::Holds::kData);
    }
    directory.attach(code, Cache::Holds::kInstructions);
    directory.initiator_socket.bind(l2.target_socket);
    l2.initiator_socket.bind(dram.target_socket);
    dma.socket.bind(directory.master_socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  uint64_t load(unsigned core, uint64_t address, uint64_t now) {
    return data[core]->access(address, AccessKind::kLoad, now);
  }
  uint64_t store(unsigned core, uint64_t address, uint64_t now) {
    return data[core]->access(address, AccessKind::kStore, now);
  }
  std::vector<LineState> states(uint64_t address) const {
    std::vector<LineState> all;
    for (const auto& cache : data) all.push_back(cache->state(address));
    return all;
  }
  uint64_t count(const char* name) const { return directory.statistics().at(name); }
};

using States = std::vector<LineState>;
constexpr uint64_t kMiss = kL1 + kL2 + kDram, kHitBelow = kL1 + kL2;

TEST(Coherence, TheFirstReaderGetsALineForItselfAtTheCostOfAnyMiss) {
  Bench b;
  EXPECT_EQ(b.load(0, kA, 1000), 1000 + kMiss);
  EXPECT_EQ(b.states(kA), (States{kE, kI, kI}));
  EXPECT_EQ(b.directory.lines(), 1u);
}

TEST(Coherence, AWriteToALineOfItsOwnCostsAHit) {
  Bench b;
  b.load(0, kA, 1000);
  EXPECT_EQ(b.store(0, kA, 2000), 2000 + kL1);
  EXPECT_EQ(b.states(kA), (States{kM, kI, kI}));
  EXPECT_EQ(b.count("upgrades"), 0u);
}

// One latency a time, before and at.
class Latency : public testing::TestWithParam<unsigned> {};

TEST_P(Latency, OfATransferIsWhatAReadOfAModifiedLineCosts) {
  Bench b(3, {kInvalidate, GetParam()});
  b.store(0, kA, 1000);
  EXPECT_EQ(b.load(1, kA, 2000), 2000 + kL1 + GetParam());
  EXPECT_EQ(b.states(kA), (States{kS, kS, kI}));
  EXPECT_EQ(b.count("transfers"), 1u);
  EXPECT_EQ(b.count("writebacks"), 1u);
  EXPECT_EQ(b.load(2, kA, 3000), 3000 + kHitBelow) << "what was written back is below";
}

TEST_P(Latency, OfATransferIsWhatAWriteToALineOfAnotherCosts) {
  Bench b(3, {kInvalidate, GetParam()});
  b.load(0, kA, 1000);
  EXPECT_EQ(b.store(1, kA, 2000), 2000 + kL1 + GetParam());
  EXPECT_EQ(b.states(kA), (States{kI, kM, kI}));
  EXPECT_EQ(b.store(2, kA, 3000), 3000 + kL1 + GetParam());
  EXPECT_EQ(b.states(kA), (States{kI, kI, kM}));
  EXPECT_EQ(b.count("writebacks"), 0u) << "a modified line goes from owner to owner";
}

TEST_P(Latency, OfAnInvalidationIsWhatAWriteToASharedLineCosts) {
  Bench b(3, {GetParam(), kTransfer});
  for (unsigned core = 0; core < 3; ++core) b.load(core, kA, 1000);
  EXPECT_EQ(b.states(kA), (States{kS, kS, kS}));
  EXPECT_EQ(b.store(1, kA, 2000), 2000 + kL1 + GetParam());
  EXPECT_EQ(b.states(kA), (States{kI, kM, kI}));
  EXPECT_EQ(b.count("upgrades"), 1u);
  EXPECT_EQ(b.count("invalidations"), 2u);
}

TEST_P(Latency, OfAnInvalidationOverlapsTheReadOfASharedLineToBeWritten) {
  Bench b(3, {GetParam(), kTransfer});
  b.load(0, kA, 1000);
  b.load(1, kA, 1200);
  EXPECT_EQ(b.store(2, kA, 2000), 2000 + kL1 + std::max<uint64_t>(kL2, GetParam()));
  EXPECT_EQ(b.states(kA), (States{kI, kI, kM}));
}

INSTANTIATE_TEST_SUITE_P(BeforeAndAt, Latency, testing::Values(1, kL2 - 1, kL2, kL2 + 1, 40, 41));

TEST(Coherence, ALineOnItsWayIsGivenUpWhenItIsThere) {
  Bench b;
  const uint64_t there = b.store(0, kA, 1000);
  EXPECT_EQ(b.load(1, kA, 1001), there + kTransfer);
  EXPECT_EQ(b.store(2, kA, 1002), there + kTransfer + kInvalidate) << "both have it shared then";
}

TEST(Coherence, ALineOnItsWayServesWhatComesBeforeItThoughAnotherHasAskedForIt) {
  Bench b;
  const uint64_t there = b.store(0, kA, 1000);
  EXPECT_EQ(b.store(1, kA, 1001), there + kTransfer);
  EXPECT_EQ(b.states(kA), (States{kI, kM, kI}));
  EXPECT_EQ(b.store(0, kA + 8, there - 1), there);
  EXPECT_EQ(b.states(kA), (States{kI, kM, kI}));
  EXPECT_EQ(b.store(0, kA + 8, there), there + 2 * kTransfer) << "too late";
  EXPECT_EQ(b.states(kA), (States{kM, kI, kI}));
}

TEST(Coherence, ALineOnItsWayToBeReadServesNoWrite) {
  Bench b;
  const uint64_t there = b.load(0, kA, 1000);
  b.store(1, kA, 1001);
  EXPECT_EQ(b.load(0, kA, 1002), there);
  EXPECT_EQ(b.store(0, kA, 1003), there + 2 * kTransfer);
}

TEST(Coherence, AnUpgradeTakesAMissRegisterAndHoldsTheLine) {
  Bench b(2, {kInvalidate, kTransfer}, 1);
  b.load(0, kA, 1000);
  b.load(1, kA, 1000);
  EXPECT_EQ(b.load(0, kA + kLine, 2000), 2000 + kMiss);
  EXPECT_EQ(b.store(0, kA, 2001), 0u);
  EXPECT_EQ(b.states(kA), (States{kS, kS})) << "turned away: nothing has happened";
  const uint64_t alone = 2000 + kMiss + kL1 + kInvalidate;
  EXPECT_EQ(b.store(0, kA, 2000 + kMiss), alone);
  EXPECT_EQ(b.load(0, kA, 2000 + kMiss + 1), alone) << "waits for the upgrade";
}

TEST(Coherence, AWriteTakesTheLineFromInstructionCachesToo) {
  Bench b;
  EXPECT_EQ(b.code.access(kA, AccessKind::kFetch, 1000), 1000 + kMiss);
  EXPECT_EQ(b.code.state(kA), kS) << "nobody writes through an instruction cache";
  EXPECT_EQ(b.load(0, kA, 2000), 2000 + kHitBelow);
  EXPECT_EQ(b.states(kA), (States{kS, kI, kI}));
  EXPECT_EQ(b.store(0, kA, 3000), 3000 + kL1 + kInvalidate);
  EXPECT_EQ(b.code.state(kA), kI);
  EXPECT_EQ(b.code.access(kA, AccessKind::kFetch, 4000), 4000 + kL1 + kTransfer);
}

TEST(Coherence, WhatIsReplacedIsForgotten) {
  Bench b;  // 8 sets of 2 ways
  for (uint64_t i = 0; i < 3; ++i) b.load(0, kA + i * 512, 1000 + 200 * i);
  EXPECT_EQ(b.data[0]->state(kA), kI);
  EXPECT_EQ(b.directory.lines(), 2u);
  EXPECT_EQ(b.load(1, kA, 3000), 3000 + kHitBelow);
  EXPECT_EQ(b.data[1]->state(kA), kE) << "alone again";
}

TEST(Coherence, AMasterWithoutTheExtensionTakesCopiesAwayWhenItWrites) {
  Bench b;
  b.load(0, kA, 1000);
  b.load(1, kA, 1000);
  EXPECT_EQ(b.dma.write(kA + 8, 77, 2000), 2000 + kInvalidate + kL2);
  EXPECT_EQ(b.dma.status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(b.states(kA), (States{kI, kI, kI}));
  uint64_t value = 0;
  b.memory.read(kA + 8, &value, 8);
  EXPECT_EQ(value, 77u);
  b.store(2, kA, 3000);
  EXPECT_EQ(b.dma.write(kA, 1, 4000), 4000 + kTransfer + kL2);
  EXPECT_EQ(b.states(kA), (States{kI, kI, kI}));
  EXPECT_EQ(b.directory.lines(), 0u);
}

TEST(Coherence, AMasterWithoutTheExtensionReadsWhatACacheHasModified) {
  Bench b;
  b.store(0, kA, 1000);
  EXPECT_EQ(b.dma.read(kA, 2000), 2000 + kTransfer + kL2);
  EXPECT_EQ(b.states(kA), (States{kS, kI, kI}));
  EXPECT_EQ(b.dma.read(kA, 3000), 3000 + kL2) << "shared lines need nobody's leave";
  EXPECT_FALSE(b.dma.dmi_allowed);
  tlm::tlm_generic_payload ask;
  tlm::tlm_dmi dmi;
  ask.set_address(kA);
  EXPECT_FALSE(b.dma.socket->get_direct_mem_ptr(ask, dmi)) << "its writes must be seen";
}

TEST(Coherence, AMastersAccessOverSeveralLinesSettlesEachOfThem) {
  Bench b;
  b.load(0, kA, 1000);
  b.store(1, kA + kLine, 1000);
  std::vector<unsigned char> bytes(2 * kLine, 0x5a);
  EXPECT_EQ(b.dma.access(tlm::TLM_WRITE_COMMAND, kA, bytes.data(), 2 * kLine, 3000),
            3000 + kTransfer + kL2);
  EXPECT_EQ(b.states(kA), (States{kI, kI, kI}));
  EXPECT_EQ(b.states(kA + kLine), (States{kI, kI, kI}));
}

TEST(Coherence, ALineNobodyServesIsNobodys) {
  Bench b;
  b.dma.read(Dram::kSize, 1000);
  EXPECT_EQ(b.dma.status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(b.directory.lines(), 0u);
}

TEST(Directory, RefusesMoreCachesThanItWasMadeFor) {
  const Clock clock{1.0};
  Directory directory("directory", 1, kLine, {}, clock);
  Cache first("first", CacheParams{}, clock), second("second", CacheParams{}, clock);
  directory.attach(first, Cache::Holds::kData);
  try {
    directory.attach(second, Cache::Holds::kData);
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "directory: second is one cache more than the 1 it was made for");
  }
}

TEST(Directory, RefusesMoreCachesThanItsMapHasBits) {
  try {
    Directory("directory", 65, kLine, {}, Clock(1.0));
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "directory: expected 1 to 64 caches, got 65");
  }
}

// MESI as a table on single words, without times and without a directory: the state that each cache
// may have after each access. The test tells it which lines the caches have dropped for lack of
// room.
class Reference {
 public:
  explicit Reference(unsigned caches) : states_(caches) {}
  void load(unsigned cache, uint64_t line) {
    LineState& own = states_[cache][line];
    if (own != kI) return;
    bool others = false;
    for (unsigned i = 0; i < states_.size(); ++i) {
      LineState& other = states_[i][line];
      if (i == cache || other == kI) continue;
      other = kS;
      others = true;
    }
    own = others ? kS : kE;
  }
  void store(unsigned cache, uint64_t line) {
    take(line);
    states_[cache][line] = kM;
  }
  void dma_read(uint64_t line) {
    for (auto& cache : states_) {
      if (cache[line] != kI) cache[line] = kS;
    }
  }
  void take(uint64_t line) {
    for (auto& cache : states_) cache[line] = kI;
  }
  LineState& at(unsigned cache, uint64_t line) { return states_[cache][line]; }

 private:
  std::vector<std::map<uint64_t, LineState>> states_;
};

// What must hold of every line in every protocol: one writer, or readers.
void expect_sane(const Bench& b, uint64_t address) {
  unsigned owners = 0, sharers = 0;
  for (const LineState state : b.states(address)) {
    owners += state == kE || state == kM ? 1 : 0;
    sharers += state == kS ? 1 : 0;
  }
  EXPECT_LE(owners, 1u);
  EXPECT_TRUE(owners == 0 || sharers == 0);
}

class Random : public testing::TestWithParam<unsigned> {};

TEST_P(Random, AccessesOfFourCachesAndAMasterKeepTheStatesOfTheReference) {
  constexpr unsigned kCores = 4, kLines = 40, kAccesses = 20000;  // room for 16 in each cache
  Bench b(kCores);
  Reference reference(kCores);
  std::mt19937 random(GetParam());
  uint64_t now = 1000;
  unsigned dropped = 0, served_late = 0;
  for (unsigned n = 0; n < kAccesses && !testing::Test::HasFailure(); ++n) {
    const uint64_t line = kA + random() % kLines * kLine;
    const uint64_t address = line + random() % 8 * 8;
    const unsigned core = random() % kCores;
    const unsigned what = random() % 16;
    now += random() % 4 == 0 ? 500 : random() % 8;  // some in flight, some long there
    if (what == 0) {
      b.dma.write(address, n, now);
      reference.take(line);
    } else if (what == 1) {
      b.dma.read(address, now);
      reference.dma_read(line);
    } else {
      const bool write = what >= 9;
      // Without the line, merged: served by a line on its way that already is another's.
      const bool had = b.data[core]->state(line) != kI;
      const uint64_t merged = b.data[core]->statistics().at("merged");
      const uint64_t done = write ? b.store(core, address, now) : b.load(core, address, now);
      const bool late = !had && b.data[core]->statistics().at("merged") != merged;
      if (done != 0 && !late) write ? reference.store(core, line) : reference.load(core, line);
      served_late += late ? 1 : 0;
    }
    std::set<uint64_t> held;
    for (uint64_t l = kA; l < kA + kLines * kLine; l += kLine) {
      expect_sane(b, l);
      for (unsigned c = 0; c < kCores; ++c) {
        const LineState state = b.data[c]->state(l);
        if (state != kI) held.insert(l);
        if (state == kI && reference.at(c, l) != kI && c == core && l != line) {
          reference.at(c, l) = kI;  // replaced
          ++dropped;
        }
        ASSERT_EQ(state, reference.at(c, l)) << "access " << n << ", cache " << c;
      }
    }
    ASSERT_EQ(held.size(), b.directory.lines()) << "access " << n;
  }
  EXPECT_GT(dropped, kAccesses / 20);
  EXPECT_GT(served_late, 0u);
  EXPECT_GT(b.count("transfers"), kAccesses / 20);
  EXPECT_GT(b.count("upgrades"), kAccesses / 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, testing::Values(1, 2, 3));

}  // namespace
}  // namespace strobe::memory
