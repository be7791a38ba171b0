// Functional warming leaves a hierarchy in the same state as the same accesses made one at a time.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "sc_models/memory/cache.h"
#include "sc_models/memory/dram.h"

namespace strobe::memory {
namespace {

constexpr uint64_t kApart = 1000;  // cycles between two accesses: nothing is in flight

/// l1 -> l2 -> DRAM, small.
struct Hierarchy {
  Clock clock{1.0};
  Cache l1, l2;
  Dram dram;
  uint64_t now = kApart;

  Hierarchy(const std::string& name, isa::GuestMemory& memory, Prefetch first, Prefetch second)
      : l1((name + "_l1").c_str(), CacheParams{1024, 2, 64, 1, 8, first, 2}, clock),
        l2((name + "_l2").c_str(), CacheParams{8192, 4, 64, 10, 8, second, 2}, clock),
        dram((name + "_dram").c_str(), memory, 100, 8, clock) {
    l1.initiator_socket.bind(l2.target_socket);
    l2.initiator_socket.bind(dram.target_socket);
    l1.set_warm_below(l2);
  }
  uint64_t access(uint64_t address, bool write) {
    now += kApart;
    return l1.access(address, write ? AccessKind::kStore : AccessKind::kLoad, now) - now;
  }
};

class Warming : public testing::TestWithParam<std::pair<Prefetch, Prefetch>> {};

TEST_P(Warming, LeavesTheStateThatAccessesLeave) {
  const auto memory = std::make_unique<isa::GuestMemory>();
  Hierarchy timed("timed", *memory, GetParam().first, GetParam().second);
  Hierarchy warmed("warmed", *memory, GetParam().first, GetParam().second);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::mt19937_64 random(1);
  // Streams and random places, more lines than either cache holds; the last stretch probes.
  uint64_t stream = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    stream += random() % 16 == 0 ? random() % 4096 : 24;
    const uint64_t address = (random() % 4 == 0 ? random() % 32768 : stream % 32768) & ~uint64_t{7};
    const bool write = random() % 3 == 0;
    if (i < 15000) {
      timed.access(address, write);
      warmed.l1.warm(address, write);
      continue;
    }
    if (i == 15000) {
      EXPECT_EQ(warmed.l1.statistics().at("accesses"), 0u) << "warming counts nothing";
      EXPECT_EQ(warmed.l2.statistics().at("accesses"), 0u);
      timed.l1.reset_statistics();
      timed.l2.reset_statistics();
    }
    ASSERT_EQ(timed.access(address, write), warmed.access(address, write)) << "access " << i;
  }
  EXPECT_EQ(timed.l1.statistics(), warmed.l1.statistics());
  EXPECT_EQ(timed.l2.statistics(), warmed.l2.statistics());
  EXPECT_GT(timed.l2.statistics().at("misses"), 100u);
  EXPECT_GT(timed.l2.statistics().at("writebacks"), 100u);
}

INSTANTIATE_TEST_SUITE_P(Prefetchers, Warming,
                         testing::Values(std::pair{Prefetch::kNone, Prefetch::kNone},
                                         std::pair{Prefetch::kNextLine, Prefetch::kNone},
                                         std::pair{Prefetch::kStride, Prefetch::kNextLine}));

}  // namespace
}  // namespace strobe::memory
