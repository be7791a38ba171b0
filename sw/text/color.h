// Colors on a terminal.
#pragma once

#include <string>

namespace strobe::text {

enum class Style { kPlain, kStrong, kHot, kWarm };

/// Prints the text to `stdout`, as shown() gives it, in a style if the standard output is a
/// terminal, NO_COLOR is unset or empty (no-color.org), and TERM is not "dumb". Throws
/// std::system_error when it cannot be written.
void print(Style style, const std::string& text);

}  // namespace strobe::text
