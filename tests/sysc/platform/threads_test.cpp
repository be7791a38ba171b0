// Guest programs on the two harts of one core, with its caches, and on several such cores.
#include "sc_models/machine/outcome/statistics.h"
#include "sc_models/port/hpm_event.h"
#include "tests/sysc/platform/harts.h"

namespace strobe::platform {
namespace {

constexpr uint64_t kRounds = 1000;

SystemParams smt(core::Buffers buffers = core::Buffers::kHalves) {
  SystemParams params;
  params.core.threads = 2;
  params.core.smt.buffers = buffers;
  return params;
}

// The run ends with the first hart, so that one has more to do.
class HartsOfACore : public testing::TestWithParam<core::Buffers> {};

TEST_P(HartsOfACore, CountTogetherWithReservations) {
  Harts h(smt(GetParam()),
          {{"lrsc_increment", {kData, 2 * kRounds}}, {"lrsc_increment", {kData, kRounds}}});
  h.run();
  EXPECT_EQ(h.system.core(0).second_stop(), core::CoreStop::kHart);
  EXPECT_EQ(h.word(kData), 3 * kRounds);
}

TEST_P(HartsOfACore, CountTogetherWithAtomics) {
  Harts h(smt(GetParam()),
          {{"amo_increment", {kData, 2 * kRounds}}, {"amo_increment", {kData, kRounds}}});
  h.run();
  EXPECT_EQ(h.word(kData), 3 * kRounds);
}

TEST_P(HartsOfACore, SeeEachOthersStores) {
  Harts h(smt(GetParam()), {{"ping_pong", {kData, kRounds + 1}}, {"ping_pong", {kData, kRounds}}});
  h.run();
  EXPECT_EQ(h.word(kData), 2 * kRounds + 1);
  EXPECT_EQ(h.system.core(0).second_stop(), core::CoreStop::kHart);
}

TEST_P(HartsOfACore, PassARingOfValuesInOrder) {
  Harts h(smt(GetParam()), {{"consume", {kData, kRounds}}, {"produce", {kData, kRounds}}});
  h.run();
  EXPECT_EQ(h.a(0, 2), kRounds + 3 * kRounds * (kRounds - 1) / 2);
}

constexpr uint64_t kLink = kData + 0x100, kFlag = kData + 0x200, kGone = kData + 0x300;

TEST_P(HartsOfACore, LoseAReservationToTheOthersStore) {
  Harts h(smt(GetParam()),
          {{"reserve", {kLink, 0, kFlag, kGone}}, {"disturb", {0, kLink + 56, kFlag, kGone}}});
  h.run();
  EXPECT_EQ(h.a(0, 4), 1u);
}

TEST_P(HartsOfACore, KeepAReservationWhenTheOtherStoresBesideIt) {
  Harts h(smt(GetParam()),
          {{"reserve", {kLink, 0, kFlag, kGone}}, {"disturb", {0, kLink + 64, kFlag, kGone}}});
  h.run();
  EXPECT_EQ(h.a(0, 4), 0u);
}

INSTANTIATE_TEST_SUITE_P(Buffers, HartsOfACore,
                         testing::Values(core::Buffers::kHalves, core::Buffers::kShared),
                         [](const auto& buffers) {
                           return std::string(buffers.param == core::Buffers::kHalves ? "Halves"
                                                                                      : "Shared");
                         });

// Hart 0 polls a line until long after it has arrived; hart 1 reads the same one, or another.
class SharedDataCache : public testing::TestWithParam<std::pair<uint64_t, uint64_t>> {};

TEST_P(SharedDataCache, ALineThatOneHartHasFetchedIsThereForTheOther) {
  const auto [line, misses] = GetParam();
  Harts h(smt(), {{"poll", {kData, 5 * kRounds}}, {"poll", {kData + line * kLine, 10}}});
  h.run();
  EXPECT_EQ(h.system.complex(0).l1d.misses(), misses);
}

INSTANTIATE_TEST_SUITE_P(SameAndAnotherLine, SharedDataCache,
                         testing::Values(std::make_pair(0, 1), std::make_pair(1, 2)));

TEST(ThreadCounters, AreEachHartsOwnAndThoseOfTheCacheBoths) {
  Harts h(smt(), {{"amo_increment", {kData, 2 * kRounds}}, {"amo_increment", {kData + 8, 10}}});
  Statistics statistics;
  h.system.add_to(statistics);
  h.run();
  const Counters counters = statistics.read();
  EXPECT_EQ(counters.at("core.committed.machine"), 1 + 3 * 2 * kRounds);
  EXPECT_EQ(counters.at("core.hart1.committed.machine"), 1 + 3 * 10u);
  EXPECT_LT(counters.at("core.hart1.cycles"), counters.at("core.cycles") / 10);
  for (const std::string core : {"core", "core.hart1"}) {
    uint64_t sum = 0;
    for (const auto& [name, value] : counters) {
      if (name.rfind(core + ".cpi.", 0) == 0) sum += value;
    }
    EXPECT_EQ(sum, counters.at(core + ".cycles")) << core;
  }
  for (const unsigned hart : {0u, 1u}) {
    EXPECT_EQ(h.thread(hart).event_count(HpmEvent::kL1dMisses), counters.at("l1d.misses"));
  }
}

TEST(TwoCoresOfTwoHarts, CountTogether) {
  SystemParams params = smt();
  params.others.push_back(params.core);
  Harts h(params, {{"lrsc_increment", {kData, 2 * kRounds}},
                   {"lrsc_increment", {kData, kRounds}},
                   {"lrsc_increment", {kData, 2 * kRounds}},
                   {"lrsc_increment", {kData, kRounds}}});
  h.run();
  EXPECT_EQ(h.word(kData), 6 * kRounds);
}

TEST(ThreadOfALaterStart, BeginsInThePresentCycle) {
  Harts h(smt(), {{"amo_increment", {kData, 2 * kRounds}}, {"amo_increment", {kData + 8, 10}}});
  h.run();
  const uint64_t cycle = h.system.core(0).cycle_count();
  const core::PipelineStats& stats = h.thread(1).stats();
  EXPECT_LT(stats.cycles, cycle / 10);
  const uint64_t before = stats.cycles;
  for (const unsigned hart : {0u, 1u}) {
    h.thread(hart).hart().state().pc = h.address("amo_increment");
    h.thread(hart).hart().state().x[11] = hart == 0 ? 100 : 10;
    h.system.core(0).restart(hart);
  }
  h.run();
  EXPECT_EQ(h.word(kData + 8), 20u);
  EXPECT_LT(h.thread(1).stats().cycles, 3 * before + 100) << "the time it was off is not counted";
}

TEST(CoreOfTwoHarts, NeedsADelegateForEach) {
  EXPECT_THROW(
      {
        try {
          Harts(smt(), {{"finish", {}}});
        } catch (const std::invalid_argument& e) {
          EXPECT_STREQ(e.what(), "core: expected 2 delegates, one for each hart, got 1");
          throw;
        }
      },
      std::invalid_argument);
}

}  // namespace
}  // namespace strobe::platform
