// The two detectors of hot data streams, each against its definition done slowly.
#include "sw/profile/hot_streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>

#include "tests/unit/profile/traces.h"

namespace strobe::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> text_of(const HotStreams& streams) {
  std::vector<std::string> text;
  for (const HotStream& stream : streams) {
    std::string word;
    for (const uint32_t terminal : stream.terminals) word += static_cast<char>('a' + terminal);
    text.push_back(word + " " + std::to_string(stream.frequency));
  }
  return text;
}

uint64_t seed() {
  const char* given = std::getenv("STROBE_SEED");
  const uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 1;
  std::cout << "seed " << seed << " (STROBE_SEED)\n";
  return seed;
}

TEST(HotStreams, BothDetectorsFindTheOneStreamOfThePublishedTrace) {
  const Grammar grammar = grammar_of(letters("abaabcabcabcabc"));
  for (const auto& detect : {hot_symbols, hot_subpaths}) {
    const HotStreams streams = detect(grammar, {2, 7}, 8);
    EXPECT_THAT(text_of(streams), ElementsAre("abcabc 2"));
    EXPECT_EQ(covered_references(streams), 12u);  // 80 % of 15
  }
}

TEST(HotStreams, OnlySubpathsFindAStreamThatNoRuleStandsFor) {
  // Sequitur has made a rule of ab before bca comes again.
  const Grammar grammar = grammar_of(letters("abcabdbca"));
  EXPECT_THAT(text_of(hot_symbols(grammar, {3, 3}, 6)), IsEmpty());
  EXPECT_THAT(text_of(hot_subpaths(grammar, {3, 3}, 6)), ElementsAre("bca 2"));
}

TEST(HotStreams, OccurrencesInsideAHotStreamDoNotCountForItsParts) {
  const Grammar grammar = grammar_of(letters("abcdxabcdyabcdzab"));
  for (const auto& detect : {hot_symbols, hot_subpaths}) {
    EXPECT_THAT(text_of(detect(grammar, {2, 4}, 4)), ElementsAre("abcd 3"));
  }
}

TEST(HotStreams, TheDetectorsGiveDifferentHeatsWhereRulesAreCutElsewhere) {
  const Grammar grammar = grammar_of(letters("abcdxabcdyabcdzab"));
  EXPECT_THAT(text_of(hot_symbols(grammar, {2, 3}, 8)), ElementsAre("ab 4"));
  EXPECT_THAT(text_of(hot_subpaths(grammar, {2, 3}, 8)), ElementsAre("abc 3"));
}

TEST(HotStreams, ASeparatorBetweenBurstsIsInNoStream) {
  // Without the separators abcababcab and longer ones would be found.
  Trace trace;
  for (uint32_t burst = 0; burst < 20; ++burst) {
    for (const uint32_t terminal : letters("abcab")) trace.push_back(terminal);
    trace.push_back(100 + burst);
  }
  for (const auto& detect : {hot_symbols, hot_subpaths}) {
    EXPECT_THAT(text_of(detect(grammar_of(trace), {2, 10}, 20)), ElementsAre("abcab 20"));
  }
}

/// The definition of the subpaths without grammar, hashes or pruning.
HotStreams subpaths_by_definition(const Trace& trace, StreamLengths lengths, uint64_t heat) {
  std::vector<bool> taken(trace.size());
  HotStreams streams;
  for (size_t length = lengths.max; length >= lengths.min; --length) {
    std::map<Trace, std::vector<size_t>> places;
    const auto free = [&](size_t at) {
      return std::none_of(taken.begin() + static_cast<std::ptrdiff_t>(at),
                          taken.begin() + static_cast<std::ptrdiff_t>(at + length),
                          [](bool is) { return is; });
    };
    for (size_t at = 0; at + length <= trace.size(); ++at) {
      const auto first = trace.begin() + static_cast<std::ptrdiff_t>(at);
      if (free(at)) places[Trace(first, first + static_cast<std::ptrdiff_t>(length))].push_back(at);
    }
    const auto count_apart = [&](const std::vector<size_t>& where) {
      uint64_t count = 0;
      size_t next = 0;
      for (const size_t at : where) {
        if (at < next || !free(at)) continue;
        ++count;
        next = at + length;
      }
      return count;
    };
    std::vector<std::tuple<int64_t, size_t, Trace>> order;  // most first, then by first place
    for (const auto& [window, where] : places) {
      order.emplace_back(-static_cast<int64_t>(count_apart(where)), where.front(), window);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [most, first, window] : order) {
      const uint64_t frequency = count_apart(places[window]);
      if (frequency < 2 || frequency * length < heat) continue;
      streams.push_back({window, frequency});
      for (const size_t at : places[window]) {
        if (free(at)) std::fill_n(taken.begin() + static_cast<std::ptrdiff_t>(at), length, true);
      }
    }
  }
  sort_streams(streams);
  return streams;
}

TEST(HotStreams, SubpathsOfRandomTracesAreThoseOfTheDefinition) {
  std::mt19937_64 random(seed());
  size_t found = 0;
  for (int round = 0; round < 400; ++round) {
    const auto alphabet = static_cast<uint32_t>(1 + random() % 12);
    const Trace trace = repetitive_trace(random, 1 + random() % 300, alphabet);
    StreamLengths lengths;
    lengths.min = static_cast<uint32_t>(2 + random() % 5);
    lengths.max = lengths.min + static_cast<uint32_t>(random() % 20);
    const uint64_t heat = 2 * lengths.min + random() % 60;
    const HotStreams expected = subpaths_by_definition(trace, lengths, heat);
    const HotStreams got = hot_subpaths(grammar_of(trace), lengths, heat);
    ASSERT_EQ(text_of(got), text_of(expected)) << "round " << round;
    ASSERT_LE(covered_references(got), trace.size());
    found += got.size();
  }
  EXPECT_GT(found, 400u);
}

TEST(HotStreams, SymbolsNeverCoverMoreThanTheTrace) {
  std::mt19937_64 random(seed());
  for (int round = 0; round < 400; ++round) {
    const Trace trace = repetitive_trace(random, 1 + random() % 3000, 5);
    const HotStreams streams = hot_symbols(grammar_of(trace), {2, 30}, 4 + random() % 100);
    ASSERT_LE(covered_references(streams), trace.size()) << "round " << round;
  }
}

TEST(HotStreams, TheThresholdIsTheHighestThatCoversEnough) {
  const Trace trace = letters("abaabcabcabcabc");
  const Grammar grammar = grammar_of(trace);
  for (const auto& detector : {hot_symbols, hot_subpaths}) {
    const auto detect = [&](uint64_t heat) { return detector(grammar, {2, 7}, heat); };
    const Threshold threshold = threshold_for_cover(detect, {2, 7}, trace.size(), 80);
    EXPECT_TRUE(threshold.reached);
    EXPECT_EQ(threshold.heat, 12u);
    EXPECT_THAT(text_of(threshold.streams), ElementsAre("abcabc 2"));
  }
}

TEST(HotStreams, OneMoreThanTheThresholdCoversTooLittle) {
  std::mt19937_64 random(seed());
  for (int round = 0; round < 50; ++round) {
    const Trace trace = repetitive_trace(random, 2000, 30);
    const Grammar grammar = grammar_of(trace);
    const auto detect = [&](uint64_t heat) { return hot_subpaths(grammar, {2, 12}, heat); };
    const Threshold threshold = threshold_for_cover(detect, {2, 12}, trace.size(), 60);
    ASSERT_TRUE(threshold.reached);
    EXPECT_GE(covered_references(detect(threshold.heat)) * 100, trace.size() * 60);
    EXPECT_LT(covered_references(detect(threshold.heat + 1)) * 100, trace.size() * 60);
  }
}

TEST(HotStreams, ATraceWithoutRepetitionReachesNoCover) {
  Trace trace(500);
  for (size_t i = 0; i < trace.size(); ++i) trace[i] = static_cast<uint32_t>(i);
  const Grammar grammar = grammar_of(trace);
  const Threshold threshold = threshold_for_cover(
      [&](uint64_t heat) {
        return hot_subpaths(grammar, {10, 40}, heat);
      },
      {10, 40}, 500);
  EXPECT_FALSE(threshold.reached);
  EXPECT_EQ(threshold.heat, 20u);
  EXPECT_THAT(threshold.streams, IsEmpty());
}

}  // namespace
}  // namespace strobe::profile
