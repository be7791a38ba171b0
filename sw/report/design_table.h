// Tables of the designs on the front, with their settings and results as texts.
#pragma once

#include <string>
#include <vector>

#include "sw/report/sweep_data.h"

namespace strobe::report {

using TextRow = std::vector<std::string>;

inline constexpr size_t kMostRows = 40;  // the most rows of a front in text and in a page

/// A setting with all its digits, as a sweep file has it; "-" where a design leaves it out.
std::string setting_text(const nlohmann::json& value);

/// " [um2]"; empty without a unit.
std::string bracketed(const std::string& unit);

/// A header, then the designs of the front, the best first objective first, at most kMostRows.
std::vector<TextRow> front_rows(const SweepData& data);

/// A header, then the designs of front_rows() on each workload. Empty for a sweep of one seed.
std::vector<TextRow> workload_rows(const SweepData& data);

}  // namespace strobe::report
