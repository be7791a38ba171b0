// The file of a run's timeline: a record a line, in CSV. docs/timeline.md has the columns.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <string>

namespace strobe::platform {

/// What happened in a cycle, or from it on.
struct TimelineRecord {
  uint64_t cycle = 0;       // since reset; the first one of a slice
  const char* event = "";   // raised, taken, drain, ...
  std::string source = {};  // what caused it
  uint64_t cycles = 0;      // length of the slice; 0: it is none
  uint64_t value = 0;
  // Empty where they mean nothing:
  std::string pc = {}, symbol = {}, handler = {};
};

/// Records go to the file as they come, so a run of any length needs the same memory. The file has
/// at most kMostRecords; the others are counted.
class TimelineLog {
 public:
  static constexpr uint64_t kMostRecords = 1'000'000;

  /// @param most  records that the file takes
  /// Throws std::runtime_error when the file cannot be made.
  explicit TimelineLog(const std::string& file, uint64_t most = kMostRecords);

  void add(const TimelineRecord& record);
  /// Throws std::runtime_error when the file could not be written.
  void finish();

  uint64_t records() const { return records_; }
  uint64_t left_out() const { return left_out_; }

 private:
  void write_out();

  const std::string name_;
  const uint64_t most_;
  std::ofstream file_;
  fmt::memory_buffer text_;
  uint64_t records_ = 0, left_out_ = 0;
};

}  // namespace strobe::platform
