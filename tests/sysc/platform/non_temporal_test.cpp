// Loads with ntl.all leave no line in any cache, and a writer does not notice them.
#include "sc_models/machine/outcome/statistics.h"
#include "tests/sysc/platform/another_process.h"
#include "tests/sysc/platform/harts.h"

namespace strobe::platform {
namespace {

constexpr uint64_t kPolls = 200;
constexpr uint64_t kElsewhere = kData + 0x1000;

TEST(NonTemporalLoads, MissInEveryCacheEachTime) {
  SystemParams params;
  Harts harts(params, {{"poll_through", {kData, kPolls}}});
  harts.run();
  Statistics statistics;
  harts.system.add_to(statistics);
  const Counters counts = statistics.read();
  const uint64_t code = counts.at("l1i.misses");
  EXPECT_EQ(counts.at("l1d.misses"), kPolls);
  EXPECT_EQ(counts.at("l2.misses"), kPolls + code);
  EXPECT_EQ(counts.at("dram.reads"), kPolls + code);
}

TEST(NonTemporalLoads, AreServedByALineThatIsThereAndLeaveItAsItIs) {
  Harts harts({}, {{"poll_after_load", {kData, kPolls}}});
  harts.run();
  Statistics statistics;
  harts.system.add_to(statistics);
  EXPECT_EQ(statistics.read().at("l1d.misses"), 1u);
}

struct Counted {
  uint64_t writer_cycles, upgrades, invalidations;
};

/// Hart 0 increments a word; hart 1 executes `program` on `address`.
Counted with_observer(const char* program, uint64_t address,
                      memory::NonTemporal ntl = memory::NonTemporal::kHonor) {
  return in_another_process<Counted>([=] {
    SystemParams params;
    params.quantum = 1;
    params.core.memory.ntl = ntl;
    Harts harts(params, {{"store_increment", {kData, 2000}}, {program, {address, kPolls}}});
    harts.run();
    EXPECT_EQ(harts.word(kData), 2000u);
    return Counted{harts.system.core(0).cycle_count(), harts.coherence("upgrades"),
                   harts.coherence("invalidations")};
  });
}

TEST(NonTemporalLoads, OfALineThatAnotherHartWritesDoNotSlowItDown) {
  const Counted alone = with_observer("poll_through", kElsewhere);
  const Counted through = with_observer("poll_through", kData);
  EXPECT_EQ(through.writer_cycles, alone.writer_cycles);
  EXPECT_EQ(through.upgrades, alone.upgrades);
  EXPECT_EQ(through.invalidations, 0u);
}

TEST(NonTemporalLoads, AreAsOthersWithIgnoreAndThenTheWriterNotices) {
  const Counted alone = with_observer("poll_through", kElsewhere);
  const Counted plain = with_observer("poll", kData);
  const Counted ignored = with_observer("poll_through", kData, memory::NonTemporal::kIgnore);
  EXPECT_GT(plain.writer_cycles, alone.writer_cycles);
  EXPECT_GT(plain.upgrades, alone.upgrades);
  EXPECT_EQ(ignored.writer_cycles, plain.writer_cycles);
  EXPECT_EQ(ignored.invalidations, plain.invalidations);
}

}  // namespace
}  // namespace strobe::platform
