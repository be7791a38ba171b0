// Lines of comma-separated values, as RFC 4180 has them.
#pragma once

#include <istream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace strobe::explore {

/// A number, a text, quoted where it has to be, or nothing for null.
std::string csv_field(const nlohmann::json& value);

/// The next record: a line, or several when a quoted field of it goes over their ends.
/// @return whether there is one
bool csv_record(std::istream& stream, std::string* record);

/// The fields of a record, without their quotes and without what csv_field() put in front of them.
std::vector<std::string> csv_fields(const std::string& record);

}  // namespace strobe::explore
