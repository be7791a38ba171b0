// The commands of bin/strobe-experiments: many runs, papers, silicon, and what a profile is worth.
#include "sw/strobe/commands/commands.h"

namespace strobe {

const std::vector<AddCommands> kCommands = {
    add_reproduce_command, add_optimize_command, add_synth_command,
    add_sweep_command,     add_explain_command,
};

}  // namespace strobe
