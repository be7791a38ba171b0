// A CSV file of a result directory, read record by record, its columns by name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace strobe::answer {

/// All members throw AnswerError where the file is not as expected.
class CsvTable {
 public:
  explicit CsvTable(const std::filesystem::path& file);

  /// @return whether there is another record
  bool next();
  const std::vector<std::string>& columns() const { return names_; }
  bool has(const std::string& column) const;
  const std::string& text(const std::string& column) const;
  /// A number, in hexadecimal after 0x.
  uint64_t number(const std::string& column) const;

 private:
  bool read_record();
  [[noreturn]] void fault(const std::string& expected) const;

  std::filesystem::path file_;
  std::ifstream stream_;
  uint64_t number_ = 0;  // the record's; the first has the names
  std::string record_;
  std::vector<std::string> names_, fields_;
};

}  // namespace strobe::answer
