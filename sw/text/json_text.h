// The one way between a JSON document and its text. Parsing is compiled here once, because each
// file that calls nlohmann::json::parse takes two seconds longer to compile.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace strobe::text {

/// Names of guest programs need not be UTF-8, which nlohmann's dump() refuses by default: bytes
/// that are not become U+FFFD. What shown() escapes and JSON allows in strings is escaped as
/// JSON does, so that the text holds no control character but the newlines of its layout, and means
/// the same when it is printed.
/// @param indent  spaces a level; -1: all on one line
std::string json_text(const nlohmann::json& document, int indent = -1);
std::string json_text(const nlohmann::ordered_json& document, int indent = -1);

/// Throws nlohmann::json::exception, which says where, if the text is not JSON or is beyond the
/// limits of sw/text/limits.h.
nlohmann::json json_from(std::string_view text);
nlohmann::ordered_json ordered_json_from(std::string_view text);

/// A value for which is_discarded() holds if json_from() would throw.
nlohmann::json json_or_discarded(std::string_view text);
nlohmann::json json_or_discarded(std::istream& in);

/// What Strobe or a tool that it runs has made itself, which has no limits.
nlohmann::json own_json_from(std::string_view text);

}  // namespace strobe::text
