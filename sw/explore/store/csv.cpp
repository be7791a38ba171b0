#include "sw/explore/store/csv.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sw/profile/reports/export.h"
#include "sw/text/diagnostic.h"
#include "sw/text/json_text.h"
#include "sw/text/limits.h"

namespace strobe::explore {

std::string csv_field(const nlohmann::json& value) {
  if (value.is_null()) return "";
  if (!value.is_string()) return text::json_text(value);
  return profile::csv_field(value.get_ref<const std::string&>());
}

bool csv_record(std::istream& stream, std::string* record) {
  record->clear();
  bool quoted = false, any = false;
  text::Budget bytes(text::limits::kCsvRecord);
  for (int c = 0; (c = stream.rdbuf()->sbumpc()) != std::istream::traits_type::eof();) {
    any = true;
    if (c == '\n' && !quoted) return true;
    if (c == '"') quoted = !quoted;
    record->push_back(static_cast<char>(c));
    if (!bytes.take()) {
      throw std::length_error(fmt::format("the record that begins with {} is too long: {}",
                                          text::in_quotes(*record), bytes.excess()));
    }
  }
  if (!any) stream.setstate(std::ios::eofbit | std::ios::failbit);
  return any;
}

std::vector<std::string> csv_fields(const std::string& record) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (size_t i = 0; i < record.size(); ++i) {
    const char c = record[i];
    if (quoted && c == '"' && i + 1 < record.size() && record[i + 1] == '"') {
      fields.back() += record[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  // Removes the mark that csv_field() prepends to some texts.
  for (std::string& field : fields) {
    if (!field.empty() && field[0] == '\'') field.erase(0, 1);
  }
  return fields;
}

}  // namespace strobe::explore
