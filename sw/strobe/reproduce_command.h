// `strobe reproduce`: figures of papers, with a verdict on each number they state.
#pragma once

#include <string>

namespace strobe {

/// Prints the names and titles of what can be reproduced.
int reproduce_list();

/// Runs one, prints its verdicts and, with a directory, writes NAME.md, and an SVG and a CSV file a
/// figure. @return the exit code: 1 when the paper and this differ
int reproduce_command(const std::string& name, const std::string& out);

}  // namespace strobe
