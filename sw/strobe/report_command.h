// `strobe report`; docs/reports.md.
#pragma once

#include <CLI/CLI.hpp>

namespace strobe {

/// Adds the command; when it is given, `code` becomes its exit code.
void add_report_command(CLI::App& app, int& code);

}  // namespace strobe
