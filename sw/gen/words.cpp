#include "sw/gen/words.h"

#include <algorithm>
#include <cctype>

namespace strobe::gen {

std::string upper_camel(const std::string& name) {
  std::string out;
  bool start = true;
  for (const char c : name) {
    if (c == '_') {
      start = true;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += static_cast<char>(start ? std::toupper(byte) : std::tolower(byte));
    start = false;
  }
  return out;
}

std::string enumerator(const std::string& name) { return "k" + upper_camel(name); }

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string grouped(uint64_t value) {
  std::string digits = std::to_string(value);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::vector<std::string> quoted(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts) all.push_back(quoted(text));
  return all;
}

}  // namespace strobe::gen
