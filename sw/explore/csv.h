// Lines of comma-separated values, as RFC 4180 has them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace strobe::explore {

/// A number, a text, quoted where it has to be, or nothing for null.
std::string csv_field(const nlohmann::json& value);

/// The fields of a line, without their quotes. A field does not go over the line's end.
std::vector<std::string> csv_fields(const std::string& line);

}  // namespace strobe::explore
