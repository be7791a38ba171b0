// Is the file of a timeline bounded, and does it say what it lacks?
#include "sc_models/run/timeline_log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace strobe::platform {
namespace {

constexpr const char* kHead = "cycle,event,source,cycles,value,pc,symbol,handler\n";

std::string text_of(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(name).rdbuf();
  return text.str();
}

class TimelineLogTest : public testing::Test {
 protected:
  ~TimelineLogTest() override { std::filesystem::remove(name_); }

  const std::string name_ = testing::TempDir() + "strobe-timeline-" + std::to_string(getpid());
};

TEST_F(TimelineLogTest, HasALineForEachRecordAndQuotesCommas) {
  TimelineLog log(name_);
  log.add({7, "raised", "profiler"});
  log.add({8, "drain", "profiler", 3, 2, "0x100", "f(int, int)", "g"});
  log.finish();
  EXPECT_EQ(text_of(name_), std::string(kHead) + "7,raised,profiler,0,0,,,\n" +
                                "8,drain,profiler,3,2,0x100,\"f(int, int)\",g\n");
  EXPECT_EQ(log.records(), 2u);
  EXPECT_EQ(log.left_out(), 0u);
}

TEST_F(TimelineLogTest, TakesNoMoreThanItsBoundAndCountsTheOthers) {
  TimelineLog log(name_, 2);
  for (uint64_t cycle = 1; cycle <= 5; ++cycle) log.add({cycle, "raised"});
  log.finish();
  EXPECT_EQ(text_of(name_), std::string(kHead) + "1,raised,,0,0,,,\n2,raised,,0,0,,,\n");
  EXPECT_EQ(log.records(), 2u);
  EXPECT_EQ(log.left_out(), 3u);
}

TEST_F(TimelineLogTest, ThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(TimelineLog("/dev/full"), std::runtime_error);
  try {
    TimelineLog("/no/such/folder/timeline.csv");
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "cannot write the timeline to /no/such/folder/timeline.csv");
  }
}

}  // namespace
}  // namespace strobe::platform
