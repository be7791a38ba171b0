// Results that are kept: which are used, and what is said of the others.
#include "sw/reproduce/kept_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/config/scratch.h"

namespace strobe {
namespace {

using testing::HasSubstr;
using testing::Not;

class KeptResultsTest : public testing::Test {
 protected:
  /// What the file gives for this key and these inputs, and what it says meanwhile.
  int get(const std::string& key, const std::string& inputs, int fresh) {
    testing::internal::CaptureStderr();
    KeptResults kept(scratch_.file("p.json"));
    const int result = kept.get(key, inputs, [=] { return nlohmann::json{{"n", fresh}}; }).at("n");
    said_ = testing::internal::GetCapturedStderr();
    return result;
  }

  config::Scratch scratch_;
  std::string said_;
};

TEST_F(KeptResultsTest, AResultIsUsedAgainForTheSameInputsAlone) {
  EXPECT_EQ(get("run", "inputs-a", 1), 1);
  EXPECT_THAT(said_, Not(HasSubstr("another build")));
  EXPECT_EQ(get("run", "inputs-a", 2), 1);
  EXPECT_EQ(said_, "");
  EXPECT_EQ(get("run", "inputs-b", 3), 3);
  EXPECT_THAT(said_,
              HasSubstr("p.json: run: the kept result is of another build or of other inputs "
                        "and is not used; the run is repeated\n"));
  EXPECT_EQ(get("run", "inputs-a", 4), 1) << "it is still there";
}

TEST_F(KeptResultsTest, AnotherRunsResultIsNotTakenForAnOutdatedOne) {
  EXPECT_EQ(get("run", "inputs-a", 1), 1);
  EXPECT_EQ(get("walk", "inputs-a", 2), 2);
  EXPECT_THAT(said_, Not(HasSubstr("another build")));
}

}  // namespace
}  // namespace strobe
