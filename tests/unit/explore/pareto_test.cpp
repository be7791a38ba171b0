#include "sw/explore/store/pareto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace strobe::explore {
namespace {

using testing::ElementsAre;

TEST(Pareto, KeepsWhatNoOtherRowDominates) {
  EXPECT_THAT(pareto_front({{1, 5}, {2, 2}, {5, 1}, {3, 3}, {2, 6}}),
              ElementsAre(true, true, true, false, false));
}

TEST(Pareto, EqualRowsDoNotDominateEachOther) {
  EXPECT_THAT(pareto_front({{1, 1}, {1, 1}, {1, 2}}), ElementsAre(true, true, false));
}

TEST(Pareto, OfNothingIsNothing) { EXPECT_TRUE(pareto_front({}).empty()); }

TEST(Pareto, RanksByTheFrontsThatArePeeledOff) {
  EXPECT_THAT(pareto_ranks({{3, 3}, {1, 1}, {2, 2}, {1, 4}}), ElementsAre(2u, 0u, 1u, 1u));
}

TEST(Pareto, AgreesWithTheDefinitionOnRandomTables) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::vector<double>> rows(40, std::vector<double>(3));
    for (auto& row : rows) {
      for (double& value : row) value = static_cast<double>(random() % 6);
    }
    const std::vector<bool> front = pareto_front(rows);
    for (size_t i = 0; i < rows.size(); ++i) {
      bool dominated = false;
      for (const auto& other : rows) {
        bool at_most = true, less = false;
        for (size_t k = 0; k < 3; ++k) {
          at_most = at_most && other[k] <= rows[i][k];
          less = less || other[k] < rows[i][k];
        }
        dominated = dominated || (at_most && less);
      }
      EXPECT_EQ(front[i], !dominated);
    }
  }
}

}  // namespace
}  // namespace strobe::explore
