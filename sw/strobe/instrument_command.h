// strobe instrument: the program of a run file with instrumentation linked into it, as a file that
// runs anywhere.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace strobe {

/// Adds the command; its callback puts the exit code into `code`, which must outlive the parsing.
void add_instrument_command(CLI::App& app, int& code);

}  // namespace strobe
