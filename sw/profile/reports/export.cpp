#include "sw/profile/reports/export.h"

#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sw/text/json_text.h"
#include "sw/text/shown.h"

namespace strobe::profile {

std::string hexadecimal(uint64_t value) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string json_string(std::string_view text) {
  return text::json_text(nlohmann::json(std::string(text)));
}

std::string csv_field(const std::string& value) {
  const std::string text = text::one_line(value);
  // A spreadsheet takes a cell that begins with one of these for a formula. A text that begins with
  // the mark itself gets a second one, so that a reader may always take one away.
  const bool marked = !text.empty() && std::strchr("=+-@'", text[0]) != nullptr;
  const std::string cell = marked ? "'" + text : text;
  if (cell.find_first_of(",\"") == std::string::npos) return cell;
  std::string result = "\"";
  for (const char c : cell) {
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
