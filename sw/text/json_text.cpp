#include "sw/text/json_text.h"

#include <cstdint>
#include <istream>
#include <nlohmann/json.hpp>

namespace strobe::text {
namespace {

template <class Json>
std::string text_of(const Json& document, int indent) {
  const std::string plain = document.dump(indent, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(plain.size());
  constexpr const char* kDigits = "0123456789abcdef";
  const auto escape = [&out](uint8_t code) {
    out += "\\u00";
    out += kDigits[code >> 4];
    out += kDigits[code & 15];
  };
  // Outside of strings JSON has ASCII alone, and no DEL.
  for (size_t i = 0; i < plain.size(); ++i) {
    const auto byte = static_cast<uint8_t>(plain[i]);
    const auto next = static_cast<uint8_t>(i + 1 < plain.size() ? plain[i + 1] : 0);
    if (byte == 0x7f) {
      escape(byte);
    } else if (byte == 0xc2 && next < 0xa0) {
      escape(next);
      ++i;
    } else {
      out += plain[i];
    }
  }
  return out;
}

}  // namespace

std::string json_text(const nlohmann::json& document, int indent) {
  return text_of(document, indent);
}

std::string json_text(const nlohmann::ordered_json& document, int indent) {
  return text_of(document, indent);
}

nlohmann::json json_from(std::string_view text) { return nlohmann::json::parse(text); }

nlohmann::json json_from(std::istream& in) { return nlohmann::json::parse(in); }

nlohmann::json json_or_discarded(std::string_view text) {
  return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}

nlohmann::json json_or_discarded(std::istream& in) {
  return nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
}

}  // namespace strobe::text
