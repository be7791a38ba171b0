// One page of HTML that needs nothing beside it: no network, no other file.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace strobe::report {

/// @param report  what to_json(SweepData) or read_run() gave; whatever its texts say, they stay
///                data
std::string html_page(const nlohmann::ordered_json& report);

/// As `--format json` prints it; bytes that are not UTF-8 become U+FFFD.
std::string json_text(const nlohmann::ordered_json& report);

}  // namespace strobe::report
