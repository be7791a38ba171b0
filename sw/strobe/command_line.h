// The command line of Strobe: parses it and hands on; every command is a file of its own.
#pragma once

namespace strobe {

/// Parses and runs one command. @return the exit code
int run_command_line(int argc, char** argv);

}  // namespace strobe
