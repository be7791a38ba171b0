// The tokens of a production file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/dise/syntax/place.h"

namespace strobe::dise {

struct Token {
  enum Kind : uint8_t { kName, kNumber, kSymbol, kNewline, kEnd };
  Kind kind = kEnd;
  std::string text;    // as written, for a number too
  uint64_t value = 0;  // a number's value, in two's complement
  Place place;

  bool is(const char* symbol) const { return kind == kSymbol && text == symbol; }
};

/// The tokens of `text`. The last one is always kEnd. A name may contain dots (T.RS1, amoadd.w,
/// .again).
std::vector<Token> tokens(const std::string& text, const std::string& file, Faults& faults);

}  // namespace strobe::dise
