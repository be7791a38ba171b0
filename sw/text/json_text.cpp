#include "sw/text/json_text.h"

#include <algorithm>
#include <cstdio>
#include <istream>
#include <nlohmann/json.hpp>

#include "sw/text/shown.h"

namespace strobe::text {
namespace {

template <class Json>
std::string text_of(const Json& document, int indent) {
  const std::string plain = document.dump(indent, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(plain.size());
  for (std::string_view rest = plain; !rest.empty();) {
    const std::string_view character = rest.substr(0, std::max<size_t>(1, utf8_length(rest)));
    char escape[8] = "";
    if (steers_a_terminal(character)) {
      std::snprintf(escape, sizeof escape, "\\u%04x", code_of(character));
    }
    out += *escape != '\0' ? std::string_view(escape) : character;
    rest.remove_prefix(character.size());
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
