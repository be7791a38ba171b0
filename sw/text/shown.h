// Makes a text from a program, a file or a user fit for a terminal and a log.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace strobe::text {

/// Length in bytes of the valid UTF-8 sequence at the start of `text`; 0 if there is none
/// (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF).
size_t utf8_length(std::string_view text);

/// The text with `\xNN` for each byte that could steer a terminal: control characters other than
/// newline and tab (U+0000 to U+001F, U+007F to U+009F), and bytes that are not UTF-8.
std::string shown(std::string_view text);

}  // namespace strobe::text
