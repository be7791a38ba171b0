// Compressors on windows of a recorded stream.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "sw/config/load.h"
#include "sw/record/recorded_run.h"
#include "sw/reproduce/isca2001/isca2001_race.h"
#include "sw/stream/stream_writer.h"
#include "tests/unit/config/scratch.h"

namespace strobe::isca2001 {
namespace {

using reproduce::isca2001::Course;
using reproduce::isca2001::Raced;
using reproduce::isca2001::Window;
using testing::AllOf;
using testing::HasSubstr;

constexpr uint64_t kEvents = 40'000;
constexpr uint64_t kMark = stream::kMarkEvents;

class RaceTest : public testing::Test {
 protected:
  /// A recording of a run that ended with this error; "" for one that ended well. Every second
  /// event is a load of 7, the others are of `loads` more with values that change.
  ProgramStream recorded(const std::string& error, uint64_t events = kEvents) const {
    const ProgramStream program{"a", scratch_.file("a.stream")};
    const config::LoadResult loaded = config::load_run_text(
        "workload: { elf: a.elf }\nprofilers: [{ name: p, selectors: [{ profile: value }] }]\n",
        "t", {});
    EXPECT_TRUE(loaded.good());
    stream::StreamWriter writer(program.file, {{"config", loaded.portable}});
    std::vector<Tuple> tuples;
    for (uint64_t i = 0; i < events; ++i) {
      tuples.push_back(i * 0x9e3779b97f4a7c15 >> 63 == 0 ? Tuple{0x1000, 7, 0}
                                                         : Tuple{0x2000 + i % 100, i % 3, 0});
      if (tuples.size() < kMark && i + 1 < events) continue;
      writer.add(tuples.data(), tuples.size(), 3 * (i + 1));
      tuples.clear();
    }
    writer.flush();
    platform::RunOutcome outcome;
    outcome.error = error;
    outcome.end = error.empty() ? platform::RunEnd::kExited : platform::RunEnd::kFailed;
    writer.finish({{"events", writer.events()},
                   {"blocks", writer.blocks()},
                   {"outcome", outcome_to_json(outcome)},
                   {"symbols", nlohmann::json::object()}});
    return program;
  }
  static RacePlan plan() {
    RacePlan plan{"test",
                  {{"R_16", "name: r, kind: random, rate: 16"},
                   {"P_16", "name: p, kind: periodic, rate: 16"},
                   {"H", "name: h, kind: stratified, rate: 16, strata: 64"}},
                  10'000,
                  1000};
    plan.starts = 3;
    plan.seeds = 2;
    plan.first_point = 1000;
    plan.points_per_decade = 4;
    return plan;
  }

  config::Scratch scratch_;
};

TEST_F(RaceTest, ThePointsAreEvenOnALogarithmicScaleAndEndWithTheWindow) {
  EXPECT_EQ(points_of(plan(), 10'000), (std::vector<uint64_t>{1000, 1778, 3162, 5623, 10'000}));
  EXPECT_EQ(points_of(plan(), 500), (std::vector<uint64_t>{500}));
}

TEST_F(RaceTest, EveryContenderSeesEveryWindowFromItsStart) {
  const Raced raced = race(recorded(""), plan());
  EXPECT_EQ(raced.stream, kEvents);
  EXPECT_EQ(raced.compressors, (std::vector<std::string>{"R_16", "P_16", "H"}));
  ASSERT_EQ(raced.windows.size(), 3u);
  EXPECT_EQ(raced.windows[0].start, 0u);
  EXPECT_EQ(raced.windows[1].start, 15'000u);
  EXPECT_EQ(raced.windows[2].start, 30'000u);
  for (const Window& window : raced.windows) {
    EXPECT_EQ(window.loads, 1u);
    EXPECT_NEAR(window.top_share, 0.5, 0.01);
    ASSERT_EQ(window.cycles.size(), raced.events.size());
    // Three cycles an event, to the next mark of time.
    EXPECT_NEAR(static_cast<double>(window.cycles.back()), 30'000, 2 * 3 * kMark);
    ASSERT_EQ(window.courses.size(), 3u);
    for (const auto& of_contender : window.courses) {
      ASSERT_EQ(of_contender.size(), 2u);
      for (const Course& course : of_contender) {
        ASSERT_EQ(course.errors.size(), raced.events.size());
        EXPECT_FALSE(course.errors.front().has_value()) << "about 500 loads are too few to qualify";
        EXPECT_EQ(course.errors.back(), 0.0) << "the load is always the same";
      }
    }
    EXPECT_EQ(window.courses[1][0].messages.back(), 10'000u / 16);
  }
}

TEST_F(RaceTest, ASeedChangesTheRandomSamplerAndTheStrataAndNotThePeriod) {
  const Raced raced = race(recorded(""), plan());
  const auto& courses = raced.windows[0].courses;
  EXPECT_NE(courses[0][0].messages, courses[0][1].messages);
  EXPECT_EQ(courses[1][0].messages, courses[1][1].messages);
  EXPECT_NE(courses[2][0].messages, courses[2][1].messages);
}

TEST_F(RaceTest, AWindowIsAtMostHalfOfTheStream) {
  EXPECT_EQ(race(recorded("", 12'000), plan()).events.back(), 6000u);
}

TEST_F(RaceTest, AStreamWithTooFewEventsHasNoWindows) {
  const Raced raced = race(recorded("", 999), plan());
  EXPECT_EQ(raced.stream, 999u);
  EXPECT_TRUE(raced.windows.empty());
}

TEST_F(RaceTest, WhatIsKeptIsWhatWasRaced) {
  const ProgramStream program = recorded("");
  KeptResults kept(scratch_.file("kept.json"));
  const Raced fresh = kept_race(kept, program, plan());
  KeptResults again(scratch_.file("kept.json"));
  testing::internal::CaptureStderr();
  const Raced read = kept_race(again, program, plan());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "nothing ran";
  ASSERT_EQ(read.windows.size(), fresh.windows.size());
  EXPECT_EQ(read.events, fresh.events);
  EXPECT_EQ(read.windows[2].cycles, fresh.windows[2].cycles);
  EXPECT_EQ(read.windows[2].courses[2][1].errors, fresh.windows[2].courses[2][1].errors);
  EXPECT_EQ(read.windows[2].courses[0][1].messages, fresh.windows[2].courses[0][1].messages);
}

// A process that was killed before it removed the recording leaves it in the folder.
TEST_F(RaceTest, ARecordingOfARunThatFailedIsRefused) {
  const ProgramStream program = recorded("illegal instruction");
  try {
    race(program, plan());
    FAIL() << "it was raced";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr(program.file.string()), HasSubstr("failed (illegal instruction)"),
                      HasSubstr("remove it, and it is recorded again")));
  }
}

}  // namespace
}  // namespace strobe::isca2001
