// The grammar that Sequitur makes: the two constraints, the trace itself, and the work that it
// took.
#include "sw/profile/streams/sequitur.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <utility>

#include "tests/unit/profile/traces.h"

namespace strobe::profile {
namespace {

using ::testing::ElementsAre;

/// What is wrong with a grammar of `trace`; empty if nothing.
std::string fault_of(const Grammar& grammar, const Trace& trace) {
  if (grammar.expansion() != trace) return "it does not give the trace";
  std::vector<unsigned> used(grammar.rules());
  std::map<std::pair<uint32_t, uint32_t>, const uint32_t*> seen;
  for (size_t rule = 0; rule < grammar.rules(); ++rule) {
    const Grammar::Body body = grammar.body(rule);
    if (rule > 0 && body.size() < 2) return "a rule of one symbol";
    for (const uint32_t* at = body.begin(); at != body.end(); ++at) {
      if (Grammar::is_rule(*at)) {
        if (*at - Grammar::kRule <= rule) return "a rule before its user";
        ++used[*at - Grammar::kRule];
      }
      if (at + 1 == body.end()) continue;
      const auto [first, fresh] = seen.insert({{at[0], at[1]}, at});
      if (!fresh && at - first->second != 1) return "a digram twice";
    }
  }
  for (size_t rule = 1; rule < grammar.rules(); ++rule) {
    if (used[rule] < 2) return "a rule used once";
  }
  return "";
}

/// Bodies as text: capitals from A for the rules 1, 2, ...
std::vector<std::string> text_of(const Grammar& grammar) {
  std::vector<std::string> text(grammar.rules());
  for (size_t rule = 0; rule < grammar.rules(); ++rule) {
    for (const uint32_t symbol : grammar.body(rule)) {
      text[rule] += Grammar::is_rule(symbol)
                        ? static_cast<char>('A' + (symbol - Grammar::kRule) - 1)
                        : static_cast<char>('a' + symbol);
    }
  }
  return text;
}

TEST(Sequitur, FindsTheRulesOfThePublishedWords) {
  // In reverse postorder: whole trace, then users before used.
  EXPECT_THAT(text_of(grammar_of(letters("abaabcabcabcabc"))),
              ElementsAre("CaAA", "BB", "Cc", "ab"));
  EXPECT_THAT(text_of(grammar_of(letters("abcdbcabcdbc"))), ElementsAre("AA", "aBdB", "bc"));
  EXPECT_THAT(text_of(grammar_of(letters("aaaaaaaa"))), ElementsAre("AA", "BB", "aa"));
}

TEST(Sequitur, ARunOfThreeIsNoRepeatedPair) {
  EXPECT_THAT(text_of(grammar_of(letters("aaa"))), ElementsAre("aaa"));
  EXPECT_THAT(text_of(grammar_of(letters("aaaa"))), ElementsAre("AA", "aa"));
}

TEST(Sequitur, ThePairThatIsLeftOfABrokenRunIsStillFound) {
  // In abbbc the first of the two bb is indexed. When a rule takes its b, the final bb must meet
  // the other one.
  for (const char* word : {"abbbcabbb", "abbbabcbb", "bbbabcbb", "abbbcbcbb", "cbbbabcbbb"}) {
    EXPECT_EQ(fault_of(grammar_of(letters(word)), letters(word)), "") << word;
  }
}

TEST(Sequitur, EveryShortWordKeepsBothConstraints) {
  for (const auto& [alphabet, longest] : {std::pair(1u, 40u), {2u, 16u}, {3u, 10u}, {4u, 8u}}) {
    for (size_t length = 1; length <= longest; ++length) {
      Trace word(length);
      for (bool more = true; more;) {
        ASSERT_EQ(fault_of(grammar_of(word), word), "") << ::testing::PrintToString(word);
        more = false;
        for (size_t i = 0; i < length && !more; ++i) {
          word[i] = (word[i] + 1) % alphabet;
          more = word[i] != 0;
        }
      }
    }
  }
}

TEST(Sequitur, RandomTracesKeepBothConstraintsAtEveryLength) {
  const char* given = std::getenv("STROBE_SEED");
  const uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 1;
  std::cout << "seed " << seed << " (STROBE_SEED)\n";
  std::mt19937_64 random(seed);
  for (int round = 0; round < 300; ++round) {
    const auto alphabet = static_cast<uint32_t>(1 + random() % 6);
    const Trace trace = repetitive_trace(random, 1 + random() % 2000, alphabet);
    Sequitur sequitur;
    for (size_t i = 0; i < trace.size(); ++i) {
      sequitur.append(trace[i]);
      if (i % 97 != 0 && i + 1 != trace.size()) continue;
      const Trace part(trace.begin(), trace.begin() + static_cast<Trace::difference_type>(i) + 1);
      ASSERT_EQ(fault_of(sequitur.grammar(), part), "") << "round " << round << ", length " << i;
    }
  }
}

TEST(Sequitur, CountsUsesAndLengthsOverTheDerivation) {
  const Grammar grammar = grammar_of(letters("abaabcabcabcabc"));
  EXPECT_THAT(grammar.lengths(), ElementsAre(15, 6, 3, 2));
  EXPECT_THAT(grammar.uses(), ElementsAre(1, 2, 4, 5));
}

TEST(Sequitur, TheEmptyTraceIsOneEmptyRule) {
  const Grammar grammar = grammar_of({});
  EXPECT_EQ(grammar.rules(), 1u);
  EXPECT_EQ(grammar.symbols(), 0u);
  EXPECT_TRUE(grammar.expansion().empty());
}

// Linear time in counted work, not in seconds: replacements are bounded by the theorem, and what is
// looked at by a constant that must not grow with the length.
TEST(Sequitur, WorkATerminalDoesNotGrowWithTheTrace) {
  struct Family {
    const char* name;
    uint32_t (*terminal)(uint64_t i, std::mt19937_64& random);
  };
  const Family families[] = {
      {"one letter", [](uint64_t, std::mt19937_64&) { return 0u; }},
      {"a loop", [](uint64_t i, std::mt19937_64&) { return static_cast<uint32_t>(i % 1000); }},
      {"nothing repeated", [](uint64_t i, std::mt19937_64&) { return static_cast<uint32_t>(i); }},
      {"two letters at random",
       [](uint64_t, std::mt19937_64& random) { return static_cast<uint32_t>(random() & 1); }},
      {"many letters at random",
       [](uint64_t, std::mt19937_64& random) { return static_cast<uint32_t>(random() % 10000); }},
      {"Thue-Morse",
       [](uint64_t i, std::mt19937_64&) {
         return static_cast<uint32_t>(__builtin_popcountll(i) & 1);
       }},
  };
  for (const Family& family : families) {
    std::mt19937_64 random(7);
    Sequitur sequitur;
    for (uint64_t i = 0; i < 1000000; ++i) {
      sequitur.append(family.terminal(i, random));
      if (i + 1 != 1000 && i + 1 != 31000 && i + 1 != 1000000) continue;
      const double terminals = static_cast<double>(i + 1);
      const Sequitur::Work& work = sequitur.work();
      std::cout << family.name << ": " << static_cast<double>(work.checks) / terminals
                << " checks, " << static_cast<double>(work.matches) / terminals << " matches, "
                << static_cast<double>(work.probes) / terminals << " probes a terminal, "
                << static_cast<double>(sequitur.bytes()) / terminals << " bytes\n";
      EXPECT_LE(work.matches, 2 * (i + 1)) << family.name;
      EXPECT_LE(work.checks, 8 * (i + 1)) << family.name;
      EXPECT_LE(work.probes, 40 * (i + 1)) << family.name;
    }
    EXPECT_LE(sequitur.bytes(), 64 * 1000000u) << family.name;
  }
}

TEST(Sequitur, AFullGrammarRefusesTerminalsAndStaysWhole) {
  Sequitur sequitur(100);
  uint64_t taken = 0;
  for (uint32_t i = 0; i < 1000; ++i) taken += sequitur.append(i);
  EXPECT_EQ(taken, 99u);  // and the guard of the trace
  EXPECT_EQ(sequitur.length(), taken);
  EXPECT_EQ(sequitur.grammar().expansion().size(), taken);
}

TEST(Sequitur, RefusesATerminalItCannotTellFromARule) {
  Sequitur sequitur;
  try {
    sequitur.append(Sequitur::kTerminalLimit);
    FAIL() << "it was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "Sequitur: expected a terminal below 2^30, got 1073741824; number the trace's "
                 "symbols from 0");
  }
}

}  // namespace
}  // namespace strobe::profile
