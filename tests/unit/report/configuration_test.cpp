#include "sw/report/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strobe::report {
namespace {

using testing::ElementsAre;

TEST(Configuration, IsSplitAtTheItemsOfTheProfilers) {
  const ConfigurationPieces pieces = split_configuration(
      "# head\ncore:\n  x: 1\nprofilers:\n  - name: a\n    selectors:\n      - tag: 0\n  - name: "
      "b\nseed: 1\n");
  EXPECT_EQ(pieces.before, "# head\ncore:\n  x: 1\nprofilers:\n");
  EXPECT_THAT(pieces.profilers,
              ElementsAre("  - name: a\n    selectors:\n      - tag: 0\n", "  - name: b\n"));
  EXPECT_EQ(pieces.after, "seed: 1\n");
}

TEST(Configuration, KeepsEachBlockAndEachLineOnce) {
  TextPool pool;
  const ConfigurationPieces pieces = split_configuration(
      "core:\nprofilers:\n  - name: a\n    k: 1\n  - name: b\n    k: 1\nseed: 1\n");
  const TextPool::Text one = configuration_of(pieces, {0}, &pool);
  const TextPool::Text other = configuration_of(pieces, {1, 7}, &pool);
  EXPECT_THAT(one, ElementsAre(0, 1, 2));
  EXPECT_THAT(other, ElementsAre(0, 3, 2));
  EXPECT_THAT(pool.lines(), ElementsAre("core:", "profilers:", "  - name: a", "    k: 1", "seed: 1",
                                        "  - name: b"));
}

}  // namespace
}  // namespace strobe::report
