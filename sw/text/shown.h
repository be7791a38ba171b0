// Makes a text from a program, a file or a user fit for a terminal and a log.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace strobe::text {

/// Length in bytes of the valid UTF-8 sequence at the start of `text`; 0 if there is none
/// (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF).
size_t utf8_length(std::string_view text);

/// The code point of a character of at most three bytes, which are whole; 0xffff for a longer one.
unsigned code_of(std::string_view character);

/// Whether a character, which is whole, is one that shown() escapes.
bool steers_a_terminal(std::string_view character);

/// The text with `\xNN` for each byte that could steer a terminal: control characters other than
/// newline and tab (U+0000 to U+001F, U+007F to U+009F), those that change the direction of what
/// follows (Unicode 15, UAX 9, table 4) or end a line (U+2028, U+2029), and bytes that are not
/// UTF-8.
std::string shown(std::string_view text);

/// A name in a line of text or a field of a table: the same with newline and tab escaped, too.
std::string one_line(std::string_view name);

/// one_line() with at most `most` characters: "..." stands for the middle of a longer name.
std::string shortened(std::string_view name, size_t most);

}  // namespace strobe::text
