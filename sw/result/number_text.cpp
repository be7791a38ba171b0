#include "sw/result/number_text.h"

#include <fmt/format.h>

#include <cstddef>

#include "sw/text/shown.h"

namespace strobe::result {

std::string grouped(uint64_t number) {
  std::string result = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(result.size()) - 3; at > 0; at -= 3) {
    result.insert(static_cast<size_t>(at), 1, ',');
  }
  return result;
}

std::string compact(uint64_t number) {
  if (number < 100000) return grouped(number);
  double scaled = static_cast<double>(number);
  const char* unit = "";
  for (const char* larger : {"k", "M", "G", "T", "P", "E"}) {
    if (scaled < 999.95) break;  // what would round to 1000.0
    scaled /= 1000;
    unit = larger;
  }
  return fmt::format("{:.{}f}{}", scaled, scaled < 9.9995 ? 3 : scaled < 99.995 ? 2 : 1, unit);
}

std::string percent(const nlohmann::json& fraction) {
  return fraction.is_null() ? "-" : fmt::format("{:.2f} %", fraction.get<double>() * 100);
}

uint64_t whole(const nlohmann::json& object, const char* key) {
  return object.at(key).get<uint64_t>();
}

std::string text(const nlohmann::json& object, const char* key) {
  return text::one_line(object.at(key).get<std::string>());
}

}  // namespace strobe::result
