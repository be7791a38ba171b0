#include "sw/answer/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "sw/answer/answer_error.h"
#include "sw/explore/store/csv.h"
#include "sw/text/diagnostic.h"

namespace strobe::answer {

CsvTable::CsvTable(const std::filesystem::path& file) : file_(file), stream_(file) {
  if (read_record()) names_ = explore::csv_fields(record_);
}

bool CsvTable::next() {
  if (!read_record()) return false;
  fields_ = explore::csv_fields(record_);
  if (fields_.size() != names_.size()) fault("a field for each column");
  return true;
}

bool CsvTable::read_record() {
  ++number_;
  try {
    return explore::csv_record(stream_, &record_);
  } catch (const std::length_error& error) {
    throw AnswerError(
        fmt::format("{} is damaged: record {}: {}", file_.string(), number_, error.what()));
  }
}

bool CsvTable::has(const std::string& column) const {
  return std::find(names_.begin(), names_.end(), column) != names_.end();
}

const std::string& CsvTable::text(const std::string& column) const {
  const auto name = std::find(names_.begin(), names_.end(), column);
  if (name == names_.end()) fault("a column " + column);
  return fields_[static_cast<size_t>(name - names_.begin())];
}

uint64_t CsvTable::number(const std::string& column) const {
  const std::string& field = text(column);
  const bool hexadecimal = field.rfind("0x", 0) == 0;
  uint64_t number = 0;
  const char *begin = field.data() + (hexadecimal ? 2 : 0), *end = field.data() + field.size();
  const auto [last, error] = std::from_chars(begin, end, number, hexadecimal ? 16 : 10);
  if (error != std::errc() || last != end) fault("a number in column " + column);
  return number;
}

void CsvTable::fault(const std::string& expected) const {
  throw AnswerError(fmt::format("{} is damaged: expected {}, got {}; run it again", file_.string(),
                                expected, text::in_quotes(record_)));
}

}  // namespace strobe::answer
