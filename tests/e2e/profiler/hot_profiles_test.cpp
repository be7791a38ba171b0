// Are the exhaustive hot profiles of a real program the ones that its construction implies?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "sc_models/machine/guest/program_names.h"
#include "sw/profile/reports/call_profiles.h"
#include "sw/profile/reports/reports.h"
#include "sw/profile/streams/stream_observer.h"
#include "tests/e2e/process/observed_program.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using profile::StreamDetector;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Observers {
  void record(const RetireRecord& record) {
    calls.record(record);
    streams.record(record);
  }
  profile::CallProfiler calls;
  profile::StreamObserver streams;
};

class HotProfilesTest : public ::testing::Test {
 protected:
  HotProfilesTest() : program_(isa::ElfFile::open(kProgram, uint64_t{1} << 31)) {
    run_observed(kProgram, {}, observers_);
  }
  uint64_t function(const char* name) const { return program_.symbol(name)->address; }
  uint64_t count(const profile::Profile& profile, const Tuple& tuple) const {
    return profile::by_function(profile, platform::functions_of(program_)).count(tuple);
  }

  const std::string kProgram = in_build("tests/e2e/hot_list.elf");
  isa::ElfFile program_;
  Observers observers_;
};

TEST_F(HotProfilesTest, CallPairsAreTheCallsOfTheProgram) {
  const profile::Profile pairs = observers_.calls.call_pairs();
  EXPECT_EQ(count(pairs, profile::call_pair(function("main"), function("walk"))), 3000u);
  EXPECT_EQ(count(pairs, profile::call_pair(function("main"), function("helper"))), 6000u);
  std::ostringstream text;
  profile::write_calls_text(pairs, text, platform::names_of(program_));
  EXPECT_THAT(text.str(), StartsWith("3000 32."));
  EXPECT_THAT(text.str(), HasSubstr(" hot_list.c:29 -> walk+0x0 hot_list.c:12\n"));
}

TEST_F(HotProfilesTest, MethodsCountCallsAndTurnsOfTheirLoops) {
  const profile::Profile methods = observers_.calls.methods();
  EXPECT_EQ(count(methods, profile::method_entry(function("walk"))), 3000u + 3000 * 12);
  EXPECT_EQ(count(methods, profile::method_entry(function("helper"))), 6000u);
}

TEST_F(HotProfilesTest, TheHottestStreamIsTheWalkOfTheList) {
  for (const StreamDetector detector : {StreamDetector::kSymbols, StreamDetector::kSubpaths}) {
    const profile::StreamProfile streams =
        profile::stream_profile(observers_.streams.trace(), detector);
    EXPECT_TRUE(streams.threshold_reached);
    ASSERT_FALSE(streams.streams.empty());
    const profile::ProfiledStream& hottest = streams.streams.front();
    // Two loads a node, two loads and two stores of the helpers' checksum: 28 references a round.
    EXPECT_EQ(hottest.signature.size(), 28u);
    EXPECT_GE(hottest.heat, 2990u * 28);
    std::vector<std::string> symbols;
    for (const uint64_t pc : hottest.signature) symbols.push_back(program_.symbol_at(pc)->name);
    EXPECT_EQ(std::count(symbols.begin(), symbols.end(), "walk"), 24);
    EXPECT_EQ(std::count(symbols.begin(), symbols.end(), "helper"), 4);
  }
}

}  // namespace
}  // namespace strobe::e2e
