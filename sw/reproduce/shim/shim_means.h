// Values of all programs, as the tables and claims of SHIM use them.
#pragma once

#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "sw/reproduce/limits.h"
#include "sw/reproduce/shim/shim.h"

namespace strobe::reproduce::shim {

/// Why an observer on another core costs less than the paper's.
inline constexpr const char* kHidden =
    "a store whose line the observer has taken waits in the store queue while the program goes on; "
    "the queue does not fill, because a method is written every few dozen cycles";

inline std::vector<double> overheads(const std::vector<Program>& programs, size_t setting) {
  std::vector<double> values;
  for (const Program& program : programs) values.push_back(program.by[setting].overhead());
  return values;
}

/// The values of the programs that have one.
inline std::vector<double> values_of(const std::vector<Program>& programs, size_t setting,
                                     std::optional<double> Observed::*value) {
  std::vector<double> values;
  for (const Program& program : programs) {
    if (program.by[setting].*value) values.push_back(*(program.by[setting].*value));
  }
  return values;
}

inline double mean_period(const std::vector<Program>& programs, size_t setting) {
  double sum = 0;
  size_t count = 0;
  for (const Program& program : programs) {
    if (program.by[setting].samples == 0) continue;
    sum += program.by[setting].period();
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

inline double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}
/// The mean with so many decimals; "-" without a value.
inline std::string mean_of(const std::vector<double>& values, int decimals) {
  return values.empty() ? "-" : fmt::format("{:.{}f}", mean(values), decimals);
}

/// The names of the settings, their mean periods and overheads, a row a setting.
Table overhead_table(const std::vector<Setting>& settings, const std::vector<Program>& programs);
/// What each class of the CPI stack adds to the overhead, mean over the programs: a row a class
/// that shows, then all of them, in as many tables as the settings need.
std::vector<Table> effect_tables(const std::vector<Setting>& settings,
                                 const std::vector<Program>& programs);
/// One row a program, in as many tables as the settings need.
std::vector<Table> programs_tables(const std::vector<Setting>& settings,
                                   const std::vector<Program>& programs);
/// The overheads of the programs, a mark each, one curve a setting.
Figure overhead_figure(const std::string& name, const std::vector<Setting>& settings,
                       const std::vector<Program>& programs);

/// That an overhead or a change is about the paper's, or small and at most a multiple of it.
Claim about(const std::string& statement, const std::vector<double>& overheads, double paper,
            const std::string& why);
Claim small(const std::string& statement, const std::vector<double>& overheads, double most,
            const std::string& why);

}  // namespace strobe::reproduce::shim
