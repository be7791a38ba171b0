// One HTML page that is complete by itself: it needs no network and no other file.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace strobe::report {

/// @param report  the result of to_json(SweepData) or read_run(); its texts cannot become HTML or
/// code, whatever they contain
std::string html_page(const nlohmann::ordered_json& report);

/// The JSON that `--format json` prints. Bytes that are not UTF-8 become U+FFFD.
std::string json_text(const nlohmann::ordered_json& report);

}  // namespace strobe::report
