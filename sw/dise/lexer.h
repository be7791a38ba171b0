// The tokens of a production file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/dise/place.h"

namespace strobe::dise {

struct Token {
  enum Kind : uint8_t { kName, kNumber, kSymbol, kNewline, kEnd };
  Kind kind = kEnd;
  std::string text;    // of a number as written
  uint64_t value = 0;  // of a number, two's complement
  Place place;

  bool is(const char* symbol) const { return kind == kSymbol && text == symbol; }
};

/// Always ends with kEnd. A name may have dots in it (T.RS1, amoadd.w, .again).
std::vector<Token> tokens(const std::string& text, const std::string& file, Faults& faults);

}  // namespace strobe::dise
