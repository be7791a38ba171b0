#include "sw/profile/export.h"

#include <cstdio>

namespace strobe::profile {
namespace {

/// Length in bytes of the valid UTF-8 sequence at the start of `text`; 0 if there is none
/// (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF).
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

}  // namespace

std::string hexadecimal(uint64_t value) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string json_string(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    const auto lead = static_cast<uint8_t>(text.front());
    if (length == 0) {
      result += "\xef\xbf\xbd";
    } else if (lead == '"' || lead == '\\') {
      result += '\\';
      result += text.front();
    } else if (lead < 0x20) {
      char escape[7];
      std::snprintf(escape, sizeof escape, "\\u%04x", lead);
      result += escape;
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result + '"';
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

void write_csv(const Profile& profile, std::ostream& out, const SymbolOf& symbol_of) {
  out << "tag,pc,value,count,symbol\n";
  for (const auto& [tuple, count] : profile.by_count()) {
    out << std::to_string(tuple.tag) << ',' << hexadecimal(tuple.pc) << ','
        << hexadecimal(tuple.value) << ',' << std::to_string(count) << ','
        << csv_field(symbol_of ? symbol_of(tuple.pc) : std::string()) << '\n';
  }
}

void write_json(const Profile& profile, std::ostream& out, const SymbolOf& symbol_of) {
  out << "{\n  \"entries\": [";
  const char* separator = "\n";
  for (const auto& [tuple, count] : profile.by_count()) {
    out << separator << "    {\"count\": " << std::to_string(count) << ", \"pc\": \""
        << hexadecimal(tuple.pc)
        << "\", \"symbol\": " << json_string(symbol_of ? symbol_of(tuple.pc) : std::string())
        << ", \"tag\": " << std::to_string(tuple.tag) << ", \"value\": \""
        << hexadecimal(tuple.value) << "\"}";
    separator = ",\n";
  }
  out << (profile.empty() ? "]" : "\n  ]")
      << ",\n  \"schema_version\": 1,\n  \"total\": " << std::to_string(profile.total()) << "\n}\n";
}

}  // namespace strobe::profile
