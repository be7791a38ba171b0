#include "sw/text/shown.h"

#include <cstdint>
#include <cstdio>
#include <vector>

namespace strobe::text {
namespace {

std::string escaped(std::string_view text, bool lines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    const bool ends_name = !lines && (character == "\n" || character == "\t");
    if (length != 0 && !ends_name && !steers_a_terminal(character)) {
      out += character;
    } else {
      for (const char c : character) {
        char escape[5];
        std::snprintf(escape, sizeof escape, "\\x%02x",
                      static_cast<unsigned>(static_cast<uint8_t>(c)));
        out += escape;
      }
    }
    text.remove_prefix(character.size());
  }
  return out;
}

}  // namespace

unsigned code_of(std::string_view character) {
  const auto byte = [&](size_t i) {
    return static_cast<unsigned>(static_cast<uint8_t>(character[i]));
  };
  switch (character.size()) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
    case 3:
      return (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
    default:
      return 0xffff;
  }
}

bool steers_a_terminal(std::string_view character) {
  const unsigned code = code_of(character);
  const auto within = [code](unsigned lo, unsigned hi) { return code >= lo && code <= hi; };
  if (code == '\n' || code == '\t') return false;
  return code < 0x20 || within(0x7f, 0x9f) || code == 0x61c || within(0x200e, 0x200f) ||
         within(0x2028, 0x202e) || within(0x2066, 0x2069);
}

size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : 0u; };
  const auto within = [&](size_t i, unsigned lo, unsigned hi) {
    return byte(i) >= lo && byte(i) <= hi;
  };
  const auto tail = [&](size_t i) { return within(i, 0x80, 0xbf); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (within(0, 0xc2, 0xdf)) return tail(1) ? 2 : 0;
  if (within(0, 0xe0, 0xef)) {
    const bool second = within(1, lead == 0xe0 ? 0xa0 : 0x80, lead == 0xed ? 0x9f : 0xbf);
    return second && tail(2) ? 3 : 0;
  }
  if (within(0, 0xf0, 0xf4)) {
    const bool second = within(1, lead == 0xf0 ? 0x90 : 0x80, lead == 0xf4 ? 0x8f : 0xbf);
    return second && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

std::string shown(std::string_view text) { return escaped(text, /*lines=*/true); }

std::string one_line(std::string_view name) { return escaped(name, /*lines=*/false); }

std::string shortened(std::string_view name, size_t most) {
  const std::string text = one_line(name);
  std::vector<size_t> starts;  // one a character
  for (size_t at = 0; at < text.size(); at += utf8_length(std::string_view(text).substr(at))) {
    starts.push_back(at);
  }
  constexpr std::string_view kLeftOut = "...";
  if (starts.size() <= most || most <= kLeftOut.size()) return text;
  const size_t kept = most - kLeftOut.size(), tail = kept / 3;
  return text.substr(0, starts[kept - tail]) + std::string(kLeftOut) +
         (tail == 0 ? "" : text.substr(starts[starts.size() - tail]));
}

}  // namespace strobe::text
