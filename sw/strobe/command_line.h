// The command line of Strobe: parses it and hands on; every command is a file of its own.
#pragma once

#include <vector>

#include "sw/strobe/commands/commands.h"

namespace strobe {

/// Parses and runs one of the commands that `commands` add. @return the exit code
int run_command_line(const std::vector<AddCommands>& commands, int argc, char** argv);

}  // namespace strobe
