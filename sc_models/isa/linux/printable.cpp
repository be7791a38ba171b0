#include "sc_models/isa/linux/printable.h"

#include <cstdint>
#include <cstdio>

namespace strobe::isa {

std::string printable(const std::string& bytes, size_t most) {
  std::string text;
  for (const char c : bytes) {
    if (text.size() >= most) return text + "...";
    if (c >= ' ' && c <= '~' && c != '\\') {
      text += c;
    } else {
      char code[8];
      std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned>(static_cast<uint8_t>(c)));
      text += code;
    }
  }
  return text;
}

}  // namespace strobe::isa
