// `strobe dise`: production files checked, assembled, explained.
#pragma once

#include <CLI/CLI.hpp>

namespace strobe {

/// Adds the command; when it is parsed it runs and puts the exit code into `code`, which outlives
/// the parsing.
void add_dise_command(CLI::App& app, int& code);

}  // namespace strobe
