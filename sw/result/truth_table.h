// The table of where a run's cycles went, beside what samplers of time say: part of the text that
// `strobe run` prints.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace strobe::result {

/// @param truth  the key of result.json
std::string truth_table(const nlohmann::json& truth);

}  // namespace strobe::result
