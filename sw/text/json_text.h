// The one way from a JSON document to its text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace strobe::text {

/// Names of guest programs need not be UTF-8, which nlohmann's dump() refuses by default: bytes
/// that are not become U+FFFD. DEL and the C1 controls, which JSON allows in strings, are escaped,
/// so that the text holds no control character but the newlines of its layout.
/// @param indent  spaces a level; -1: all on one line
std::string json_text(const nlohmann::json& document, int indent = -1);
std::string json_text(const nlohmann::ordered_json& document, int indent = -1);

}  // namespace strobe::text
