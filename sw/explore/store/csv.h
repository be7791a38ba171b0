// Lines of comma-separated values, as RFC 4180 defines them.
#pragma once

#include <istream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace strobe::explore {

/// A number, or a text that is quoted where it has to be; empty for null.
std::string csv_field(const nlohmann::json& value);

/// Reads the next record: a line, or several when a quoted field contains their ends.
/// @return whether there is one
bool csv_record(std::istream& stream, std::string* record);

/// The fields of a record, without their quotes and without the mark that csv_field() prepends.
std::vector<std::string> csv_fields(const std::string& record);

}  // namespace strobe::explore
