// The commands: each is a file of its own, which adds it to the command line. Those of
// sw/experiments are in bin/strobe-experiments, all others in bin/strobe.
#pragma once

#include <string>
#include <vector>

#include "sw/measure/measured_run.h"

namespace CLI {
class App;
}

namespace strobe {

/// One call of bin/strobe.
struct Invocation {
  std::vector<std::string> words;  // argv
  int code = 0;                    // the exit code, which the command sets (docs/configuration.md)
};

// Each adds its command to `app`. When the command is parsed it runs, puts its exit code into
// `invocation`, which outlives the parsing, and says on stderr what went wrong.
void add_run_command(CLI::App& app, Invocation& invocation);
void add_record_command(CLI::App& app, Invocation& invocation);
void add_replay_command(CLI::App& app, Invocation& invocation);
void add_reproduce_command(CLI::App& app, Invocation& invocation);
void add_dise_command(CLI::App& app, Invocation& invocation);
void add_instrument_command(CLI::App& app, Invocation& invocation);
void add_optimize_command(CLI::App& app, Invocation& invocation);
void add_config_command(CLI::App& app, Invocation& invocation);
void add_synth_command(CLI::App& app, Invocation& invocation);
void add_sweep_command(CLI::App& app, Invocation& invocation);
void add_explain_command(CLI::App& app, Invocation& invocation);
void add_report_command(CLI::App& app, Invocation& invocation);
void add_top_command(CLI::App& app, Invocation& invocation);
void add_annotate_command(CLI::App& app, Invocation& invocation);
void add_export_command(CLI::App& app, Invocation& invocation);
void add_import_command(CLI::App& app, Invocation& invocation);
void add_compare_command(CLI::App& app, Invocation& invocation);
void add_doctor_command(CLI::App& app, Invocation& invocation);
void add_completion_command(CLI::App& app, Invocation& invocation);

/// Adds commands to the command line.
using AddCommands = void (*)(CLI::App& app, Invocation& invocation);

/// The commands of the program that is linked, in the order of `--help`; a program defines it.
extern const std::vector<AddCommands> kCommands;

/// What `strobe run` and `strobe record` do, without the parsing. RunOptions::out is the result
/// directory, or the stream. @return the exit code
int run_command(const RunOptions& options);
int record_command(const RunOptions& options);

}  // namespace strobe
