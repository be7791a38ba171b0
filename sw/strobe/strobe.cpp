// The commands of bin/strobe. The experiments are another program, so that this one is built
// sooner.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>

#include "sw/process/exit_code.h"
#include "sw/process/program_beside.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/commands/experiment_names.h"

namespace strobe {
namespace {

/// Becomes bin/strobe-experiments, with the same words. @return the exit code when that fails
int become_experiments(const Invocation& invocation) {
  const std::string program = program_beside("strobe-experiments").string();
  std::vector<char*> words;
  for (const std::string& word : invocation.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  fmt::print(stderr,
             "strobe: error: {} is a command of {}, which cannot be started: {}; build it with "
             "'cmake --build --preset release --target strobe-experiments'\n",
             invocation.words.at(1), program, std::strerror(errno));
  return kExitUsage;
}

void add_experiments(CLI::App& app, Invocation& invocation) {
  for (const CommandName& one : {kReproduce, kOptimize, kSynth, kSweep, kExplain}) {
    CLI::App* command = app.add_subcommand(one.name, one.description);
    command->prefix_command();  // its own words are left to the other program
    command->set_help_flag();
    command->callback([&invocation] { invocation.code = become_experiments(invocation); });
  }
}

}  // namespace

const std::vector<AddCommands> kCommands = {
    add_run_command,        add_record_command,     add_replay_command, add_dise_command,
    add_instrument_command, add_config_command,     add_report_command, add_top_command,
    add_annotate_command,   add_export_command,     add_import_command, add_compare_command,
    add_doctor_command,     add_completion_command, add_experiments,
};

}  // namespace strobe
