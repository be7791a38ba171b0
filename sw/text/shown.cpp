#include "sw/text/shown.h"

#include <cstdint>
#include <cstdio>

namespace strobe::text {
namespace {

/// Whether a whole UTF-8 sequence does that.
bool steers_a_terminal(std::string_view character) {
  const auto lead = static_cast<uint8_t>(character[0]);
  if (lead == '\n' || lead == '\t') return false;
  if (lead == 0xc2) return static_cast<uint8_t>(character[1]) < 0xa0;  // U+0080 to U+009F
  return lead < 0x20 || lead == 0x7f;
}

}  // namespace

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

std::string shown(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    if (length != 0 && !steers_a_terminal(character)) {
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

}  // namespace strobe::text
