// The two detectors of hot data streams, each compared with a slow implementation of its
// definition.
#include "sw/profile/streams/hot_streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <stdexcept>
#include <utility>

#include "sw/profile/streams/cover.h"
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

uint64_t stream_seed() {
  const char* given = std::getenv("STROBE_SEED");
  const uint64_t stream_seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 1;
  std::cout << "stream_seed " << stream_seed << " (STROBE_SEED)\n";
  return stream_seed;
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

/// The definition of the subpaths without grammar, hashes, order or pruning.
HotStreams subpaths_by_definition(const Trace& trace, StreamLengths lengths, uint64_t heat) {
  std::vector<bool> taken(trace.size());
  HotStreams streams;
  for (;;) {
    struct Best {
      uint64_t heat = 0;
      size_t length = 0;
      std::vector<size_t> places;
      Trace window;
    } best;
    for (size_t length = lengths.max; length >= lengths.min; --length) {
      std::map<Trace, std::vector<size_t>> places;  // free and apart
      std::map<Trace, size_t> first;
      for (size_t at = 0; at + length <= trace.size(); ++at) {
        const auto begin = trace.begin() + static_cast<std::ptrdiff_t>(at);
        const Trace window(begin, begin + static_cast<std::ptrdiff_t>(length));
        first.insert({window, at});
        std::vector<size_t>& where = places[window];
        const auto mark = taken.begin() + static_cast<std::ptrdiff_t>(at);
        const bool free = std::none_of(mark, mark + static_cast<std::ptrdiff_t>(length),
                                       [](bool is) { return is; });
        if (free && (where.empty() || where.back() + length <= at)) where.push_back(at);
      }
      std::vector<std::pair<size_t, Trace>> by_place;
      for (const auto& [window, at] : first) by_place.emplace_back(at, window);
      std::sort(by_place.begin(), by_place.end());
      for (const auto& [at, window] : by_place) {
        const std::vector<size_t>& where = places[window];
        const uint64_t window_heat = where.size() * length;
        if (where.size() < 2 || window_heat < heat || window_heat <= best.heat) continue;
        best = {window_heat, length, where, window};
      }
    }
    if (best.length == 0) break;
    streams.push_back({best.window, best.places.size()});
    for (const size_t at : best.places) {
      std::fill_n(taken.begin() + static_cast<std::ptrdiff_t>(at), best.length, true);
    }
  }
  sort_streams(streams);
  return streams;
}

TEST(HotStreams, SubpathsOfRandomTracesAreThoseOfTheDefinition) {
  std::mt19937_64 random(stream_seed());
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
  std::mt19937_64 random(stream_seed());
  for (int round = 0; round < 400; ++round) {
    const Trace trace = repetitive_trace(random, 1 + random() % 3000, 5);
    const HotStreams streams = hot_symbols(grammar_of(trace), {2, 30}, 4 + random() % 100);
    ASSERT_LE(covered_references(streams), trace.size()) << "round " << round;
  }
}

TEST(HotStreams, AStreamOfAPeriodicTraceIsItsPeriod) {
  Trace trace;
  for (int i = 0; i < 100; ++i) {
    for (const uint32_t terminal : letters("abcdefg")) trace.push_back(terminal);
  }
  EXPECT_THAT(text_of(hot_subpaths(grammar_of(trace), {4, 12}, 50)), ElementsAre("abcdefg 100"));
}

TEST(Cover, TheThresholdIsTheHighestThatCoversEnough) {
  const Trace trace = letters("abaabcabcabcabc");
  for (const auto& covering : {symbols_covering, subpaths_covering}) {
    const Threshold threshold = covering(grammar_of(trace), {2, 7}, trace.size(), 80);
    EXPECT_TRUE(threshold.reached);
    EXPECT_EQ(threshold.heat, 12u);
    EXPECT_THAT(text_of(threshold.streams), ElementsAre("abcabc 2"));
  }
}

TEST(Cover, OneMoreThanTheThresholdCoversTooLittle) {
  std::mt19937_64 random(stream_seed());
  const auto check = [](const auto& covering, const auto& detect, const Trace& trace) {
    const Grammar grammar = grammar_of(trace);
    const Threshold threshold = covering(grammar, {2, 12}, trace.size(), 60);
    const HotStreams streams = detect(grammar, {2, 12}, threshold.heat);
    EXPECT_EQ(text_of(threshold.streams), text_of(streams));
    EXPECT_EQ(covered_references(streams) * 100 >= trace.size() * 60, threshold.reached);
    EXPECT_LT(covered_references(detect(grammar, {2, 12}, threshold.heat + 1)) * 100,
              trace.size() * 60);
    return threshold.reached;
  };
  int reached = 0;
  for (int round = 0; round < 50; ++round) {
    const Trace trace = repetitive_trace(random, 2000, 30);
    reached += check(symbols_covering, hot_symbols, trace);
    reached += check(subpaths_covering, hot_subpaths, trace);
  }
  EXPECT_GT(reached, 50);
}

TEST(Cover, ATraceWithoutRepetitionReachesNone) {
  Trace trace(500);
  for (size_t i = 0; i < trace.size(); ++i) trace[i] = static_cast<uint32_t>(i);
  for (const auto& covering : {symbols_covering, subpaths_covering}) {
    const Threshold threshold = covering(grammar_of(trace), {10, 40}, trace.size(), 90);
    EXPECT_FALSE(threshold.reached);
    EXPECT_EQ(threshold.heat, 20u);
    EXPECT_THAT(threshold.streams, IsEmpty());
  }
}

TEST(HotStreams, LengthsThatMakeNoSenseAreRefused) {
  for (const auto& detect : {hot_symbols, hot_subpaths}) {
    for (const auto& [min, max] : {std::pair(1u, 5u), {6u, 5u}}) {
      try {
        detect(grammar_of(letters("abab")), {min, max}, 4);
        FAIL() << "they were taken";
      } catch (const std::invalid_argument& error) {
        EXPECT_EQ(std::string(error.what()),
                  "lengths of hot streams: expected 2 <= minimum <= maximum, got " +
                      std::to_string(min) + " to 5");
      }
    }
  }
}

}  // namespace
}  // namespace strobe::profile
