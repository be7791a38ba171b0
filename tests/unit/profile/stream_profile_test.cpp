// Reference traces, stream profiles and their overlaps, and the reports.
#include "sw/profile/streams/stream_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "sw/profile/reports/reports.h"
#include "sw/profile/streams/stream_observer.h"

namespace strobe::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Letters as pcs; the address is the pc's place in a node at `base`.
void walk(ReferenceTrace& trace, const std::string& pcs, uint64_t base, int times) {
  for (int i = 0; i < times; ++i) {
    for (const char c : pcs) {
      trace.add({static_cast<uint64_t>(c), base + static_cast<uint64_t>(c)});
    }
    trace.separate();
  }
}

AccessSignature signature(const std::string& pcs) { return {pcs.begin(), pcs.end()}; }

StreamProfile profile_of(const ReferenceTrace& trace, unsigned percent = 90) {
  return stream_profile(trace, StreamDetector::kSubpaths, {2, 10}, percent);
}

TEST(ReferenceTrace, ReferencesAreOneSymbolWhenPcAndAddressAgree) {
  ReferenceTrace trace;
  for (const Reference& r : {Reference{1, 100}, {1, 104}, {1, 100}, {2, 100}}) trace.add(r);
  EXPECT_THAT(trace.grammar().expansion(), ElementsAre(0, 1, 0, 2));
  EXPECT_EQ(trace.reference(1), (Reference{1, 104}));
  EXPECT_EQ(trace.references(), 4u);
}

TEST(ReferenceTrace, ASeparatorIsNoReference) {
  ReferenceTrace trace;
  trace.add({1, 100});
  trace.separate();
  trace.add({1, 100});
  EXPECT_EQ(trace.references(), 2u);
  EXPECT_THAT(trace.grammar().expansion(), ElementsAre(0, 1, 0));
}

TEST(ReferenceTrace, BeyondItsBoundReferencesAreCountedAsDropped) {
  ReferenceTrace trace(11);
  for (uint64_t i = 0; i < 30; ++i) trace.add({i, i});
  EXPECT_EQ(trace.references(), 10u);
  EXPECT_EQ(trace.dropped(), 20u);
  EXPECT_EQ(profile_of(trace).dropped, 20u);
}

TEST(StreamObserver, TakesUserReferencesThatDidNotTrap) {
  StreamObserver observer;
  RetireRecord record;
  record.mode = PrivilegeMode::kUser;
  record.pc_rdata = 0x1000;
  record.mem_addr = 0x2000;
  for (const OpClass opclass : {OpClass::kLoad, OpClass::kStore, OpClass::kAmo, OpClass::kAlu}) {
    record.opclass = opclass;
    observer.record(record);
  }
  record.opclass = OpClass::kLoad;
  record.trap = 1;
  observer.record(record);
  record.trap = 0;
  record.mode = PrivilegeMode::kMachine;
  observer.record(record);
  EXPECT_EQ(observer.trace().references(), 3u);
  EXPECT_EQ(observer.trace().reference(0), (Reference{0x1000, 0x2000}));
}

TEST(StreamProfile, StreamsOfOneSignatureAreOneWhateverTheirAddresses) {
  ReferenceTrace trace;
  walk(trace, "abcd", 1000, 6);
  walk(trace, "abcd", 2000, 10);
  walk(trace, "xy", 3000, 4);
  const StreamProfile profile = profile_of(trace, 100);
  ASSERT_EQ(profile.streams.size(), 2u);
  EXPECT_EQ(profile.streams[0].signature, signature("abcd"));
  EXPECT_EQ(profile.streams[0].heat, 64u);
  EXPECT_EQ(profile.streams[0].variants, 2u);
  EXPECT_EQ(profile.streams[0].first.address, 2000u + 'a');
  EXPECT_EQ(profile.streams[1].heat, 8u);
  EXPECT_EQ(profile.references, 72u);
  EXPECT_EQ(profile.covered(), 72u);
  EXPECT_TRUE(profile.threshold_reached);
}

TEST(StreamProfile, TheThresholdLeavesOutWhatTheCoverDoesNotNeed) {
  ReferenceTrace trace;
  walk(trace, "abcd", 1000, 16);
  walk(trace, "xy", 3000, 4);
  const StreamProfile profile = profile_of(trace, 80);
  EXPECT_EQ(profile.streams.size(), 1u);
  EXPECT_EQ(profile.heat_threshold, 64u);
}

TEST(StreamOverlap, AddsTheSmallerContributionOfEachSignature) {
  ReferenceTrace p, q;
  walk(p, "abcd", 0, 15);  // 60 of 80: 75 %
  walk(p, "xy", 0, 10);    // 25 %
  walk(q, "abcd", 7, 5);   // 20 of 80: 25 %
  walk(q, "xy", 7, 10);    // 25 %
  walk(q, "uv", 7, 20);    // 50 %
  const StreamProfile a = profile_of(p, 100), b = profile_of(q, 100);
  EXPECT_DOUBLE_EQ(exact_overlap(a, b), 0.5);
  EXPECT_DOUBLE_EQ(exact_overlap(b, a), 0.5);
  EXPECT_DOUBLE_EQ(exact_overlap(a, a), 1.0);
}

TEST(StreamOverlap, AStreamCutElsewhereIsNotTheSameButHasThePairsInCommon) {
  ReferenceTrace p, q;
  walk(p, "abcdefgh", 0, 10);
  walk(q, "bcdefgh", 0, 10);
  const StreamProfile a = profile_of(p), b = profile_of(q);
  EXPECT_DOUBLE_EQ(exact_overlap(a, b), 0.0);
  EXPECT_DOUBLE_EQ(overlap(a, b), 6.0 / 7);  // six of the first's seven pairs
  EXPECT_DOUBLE_EQ(overlap(b, a), 6.0 / 7);
}

TEST(StreamOverlap, EmptyProfilesAreIdenticalToEachOtherAndToNothingElse) {
  ReferenceTrace empty, full;
  walk(full, "abcd", 0, 10);
  const StreamProfile none = profile_of(empty), some = profile_of(full);
  EXPECT_DOUBLE_EQ(exact_overlap(none, none), 1.0);
  EXPECT_DOUBLE_EQ(exact_overlap(none, some), 0.0);
  EXPECT_DOUBLE_EQ(overlap(none, some), 0.0);
}

ProgramNames names() {
  return {[](uint64_t pc) {
            return pc == 'b' ? std::string() : "f\"" + std::string(1, static_cast<char>(pc));
          },
          [](uint64_t pc) { return pc == 'a' ? std::string("list.c:7") : std::string(); }};
}

StreamProfile small_profile() {
  ReferenceTrace trace;
  walk(trace, "ab", 0x1000, 10);
  trace.add({'z', 0});
  return profile_of(trace);
}

TEST(StreamReport, TextNamesEachAccess) {
  std::ostringstream out;
  write_streams_text(small_profile(), out, names());
  EXPECT_EQ(
      out.str(),
      "1 hot data streams cover 95.24 % of 21 references (subpaths, heat 20 and more)\n"
      "heat 20, 95.24 %: 10 times 2 references, 1 with addresses of their own, first at 0x1061\n"
      "  f\"a list.c:7\n"
      "  0x62\n");
}

TEST(StreamReport, JsonIsReadBackByAnotherReader) {
  std::ostringstream out;
  write_streams_json(small_profile(), out, names());
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json["references"], 21);
  EXPECT_EQ(json["covered"], 20);
  EXPECT_EQ(json["heat_threshold"], 20);
  EXPECT_EQ(json["threshold_reached"], true);
  EXPECT_EQ(json["detector"], "subpaths");
  const auto& stream = json["streams"].at(0);
  EXPECT_EQ(stream["heat"], 20);
  EXPECT_EQ(stream["share"], 0.952381);
  EXPECT_EQ(stream["first_address"], "0x1061");
  EXPECT_EQ(stream["accesses"].at(0)["symbol"], "f\"a");
  EXPECT_EQ(stream["accesses"].at(0)["line"], "list.c:7");
  EXPECT_EQ(stream["accesses"].at(1)["pc"], "0x62");
}

TEST(StreamReport, AProfileWithoutStreamsIsStillOne) {
  std::ostringstream json, text;
  const StreamProfile none = profile_of(ReferenceTrace());
  write_streams_json(none, json, {});
  write_streams_text(none, text, {});
  EXPECT_THAT(nlohmann::json::parse(json.str())["streams"], IsEmpty());
  EXPECT_EQ(text.str(),
            "0 hot data streams cover 0.00 % of 0 references (subpaths, heat 4 and more)\n");
}

}  // namespace
}  // namespace strobe::profile
