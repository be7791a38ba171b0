// Traces as words, and random traces with repetition.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sw/profile/streams/grammar.h"
#include "sw/profile/streams/sequitur.h"

namespace strobe::profile {

using Trace = std::vector<uint32_t>;

inline Trace letters(const std::string& word) {
  Trace trace;
  for (const char c : word) trace.push_back(static_cast<uint32_t>(c - 'a'));
  return trace;
}

inline Sequitur sequitur_of(const Trace& trace) {
  Sequitur sequitur;
  for (const uint32_t terminal : trace) sequitur.append(terminal);
  return sequitur;
}

inline Grammar grammar_of(const Trace& trace) { return sequitur_of(trace).grammar(); }

/// Phrases over an alphabet, repeated with noise between them: what programs' references look like.
inline Trace repetitive_trace(std::mt19937_64& random, size_t length, uint32_t alphabet) {
  std::vector<Trace> phrases(1 + random() % 5);
  for (Trace& phrase : phrases) {
    phrase.resize(1 + random() % 9);
    for (uint32_t& terminal : phrase) terminal = static_cast<uint32_t>(random() % alphabet);
  }
  Trace trace;
  while (trace.size() < length) {
    if (random() % 4 == 0) {
      trace.push_back(static_cast<uint32_t>(random() % alphabet));
    } else {
      const Trace& phrase = phrases[random() % phrases.size()];
      trace.insert(trace.end(), phrase.begin(), phrase.end());
    }
  }
  trace.resize(length);
  return trace;
}

}  // namespace strobe::profile
