#include "sw/strobe/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "sw/config/diagnostic.h"
#include "sw/strobe/config_command.h"
#include "sw/strobe/dise_command.h"
#include "sw/strobe/doctor_command.h"
#include "sw/strobe/exit_code.h"
#include "sw/strobe/instrument_command.h"
#include "sw/strobe/record_command.h"
#include "sw/strobe/replay_command.h"
#include "sw/strobe/report_command.h"
#include "sw/strobe/reproduce_command.h"
#include "sw/strobe/run_command.h"
#include "sw/strobe/sweep_command.h"
#include "sw/strobe/synth_command.h"
#include "sw/strobe/version.h"

namespace strobe {
namespace {

std::string version_text() {
  const std::string id = git_id();
  std::string text = fmt::format("strobe {}", project_version());
  if (!id.empty()) text += fmt::format(" ({})", id);
  for (const auto& [tool, version] : tool_versions())
    text += fmt::format("\n{}: {}", tool, version);
  return text;
}

/// What the commands that read a run file share.
struct FileArguments {
  std::string file;
  std::vector<std::string> sets;
};

void add_sets(CLI::App* command, std::vector<std::string>* sets) {
  command
      ->add_option("--set", *sets,
                   "Set a key of the run file, such as profilers.0.rate=64; VALUE is YAML")
      ->allow_extra_args(false)  // or the FILE after it would be a second value
      ->type_name("KEY=VALUE");
}

void add_file_arguments(CLI::App* command, FileArguments* arguments) {
  command->add_option("FILE", arguments->file, "Run file (YAML)")->required();
  add_sets(command, &arguments->sets);
}

void add_confinement(CLI::App* command, bool* confined) {
  command->add_flag_callback(
      "--no-confine", [confined] { *confined = false; },
      "Leave the simulator free to use all that you may use on this host; for "
      "debugging, with programs you trust");
}

/// The first subcommand or option on the command line that does not exist, as "no such option:
/// '--otu' (did you mean '--out'?)"; empty when all exist. CLI11 would report a missing argument
/// first, or answer `strobe rnu --help` with the help of `strobe`.
/// @param called  becomes the command that the words name, such as "strobe config check"
std::string misspelt_word(CLI::App* app, int argc, char** argv, std::string* called) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") return "";
    if (word.rfind('-', 0) != 0) {
      const std::vector<CLI::App*> known = app->get_subcommands({});
      if (known.empty()) continue;  // an argument
      const auto command = std::find_if(known.begin(), known.end(),
                                        [&](const CLI::App* one) { return one->check_name(word); });
      if (command == known.end()) {
        std::vector<std::string> names;
        for (const CLI::App* one : known) names.push_back(one->get_name());
        return fmt::format("no such command: {}{}", config::in_quotes(word),
                           config::did_you_mean(word, names));
      }
      app = *command;
      *called += " " + word;
      continue;
    }
    const std::string name = word.substr(0, word.find('='));
    const CLI::Option* option = app->get_option_no_throw(name);
    if (option == nullptr && word.rfind("--", 0) == 0) {
      std::vector<std::string> names;
      for (const CLI::Option* one : app->get_options()) {
        for (const std::string& known : one->get_lnames()) names.push_back("--" + known);
      }
      return fmt::format("no such option: {}{}", config::in_quotes(name),
                         config::did_you_mean(name, names));
    }
    const bool takes_value = option != nullptr && option->get_items_expected_min() > 0;
    if (takes_value && name == word) ++i;
  }
  return "";
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app("Strobe: a workbench for hardware program-profiling support.");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  app.footer("Example: strobe run configs/runs/quickstart.yaml --out results/quickstart");
  int code = kExitOk;

  RunOptions options;
  options.command_line.assign(argv, argv + argc);
  FileArguments run_arguments;
  CLI::App* run = app.add_subcommand("run", "Run a configuration and write a result directory");
  add_file_arguments(run, &run_arguments);
  run->add_option("--out", options.out, "Result directory to write")->required();
  run->add_flag("--force", options.force, "Replace the result directory when it exists");
  run->add_flag("--no-profiles", options.no_profiles, "Do not write the profile.NAME.csv files");
  run->add_flag("--quiet", options.quiet, "Show no progress");
  add_confinement(run, &options.confined);
  run->footer(
      "Example: strobe run configs/runs/quickstart.yaml --out results/r64 --set "
      "profilers.0.rate=64");
  run->callback([&] {
    options.file = run_arguments.file;
    options.sets = run_arguments.sets;
    code = run_command(options);
  });

  RunOptions record_options;
  FileArguments record_arguments;
  CLI::App* record = app.add_subcommand(
      "record", "Run a configuration and record the events that its selectors pick");
  add_file_arguments(record, &record_arguments);
  record->add_option("--out", record_options.out, "Stream file to write")->required();
  record->add_flag("--quiet", record_options.quiet, "Show no progress");
  add_confinement(record, &record_options.confined);
  record->footer("Example: strobe record configs/runs/quickstart.yaml --out othello.stream");
  record->callback([&] {
    record_options.file = record_arguments.file;
    record_options.sets = record_arguments.sets;
    code = record_command(record_options);
  });

  ReplayOptions replay_options;
  replay_options.command_line.assign(argv, argv + argc);
  CLI::App* replay = app.add_subcommand(
      "replay", "Score profilers on a recorded stream and write a result directory");
  replay->add_option("STREAM", replay_options.stream, "Stream file that 'strobe record' wrote")
      ->required();
  replay
      ->add_option("--profilers", replay_options.profilers,
                   "YAML file with a list of profilers, as under 'profilers' in a run file")
      ->required();
  replay->add_option("--out", replay_options.out, "Result directory to write")->required();
  replay->add_flag("--force", replay_options.force, "Replace the result directory when it exists");
  replay->add_flag("--no-profiles", replay_options.no_profiles,
                   "Do not write the profile.NAME.csv files");
  add_confinement(replay, &replay_options.confined);
  add_sets(replay, &replay_options.sets);
  replay->footer(
      "Example: strobe replay othello.stream --profilers configs/replays/samplers.yaml --out "
      "results/replay");
  replay->callback([&] { code = replay_command(replay_options); });

  std::string reproduce_name, reproduce_out;
  bool list = false;
  CLI::App* reproduce = app.add_subcommand(
      "reproduce",
      "Reproduce a figure of a paper; exit code 1 when a result differs from the paper's");
  auto* list_flag = reproduce->add_flag("--list", list, "List the figures that can be reproduced");
  reproduce->add_option("NAME", reproduce_name, "Figure to reproduce, such as isca2001-fig4")
      ->excludes(list_flag);
  reproduce->add_option("--out", reproduce_out, "Directory for NAME.md and its figures");
  reproduce->footer("Example: strobe reproduce isca2001-fig4 --out results/fig4");
  reproduce->callback(
      [&] { code = list ? reproduce_list() : reproduce_command(reproduce_name, reproduce_out); });

  add_dise_command(app, code);
  add_instrument_command(app, code);

  CLI::App* config = app.add_subcommand("config", "Check and explain run files");
  config->require_subcommand(1);
  config->footer("Example: strobe config check configs/runs/quickstart.yaml");

  FileArguments check_arguments;
  CLI::App* check =
      config->add_subcommand("check", "Report everything that is wrong with a run file");
  add_file_arguments(check, &check_arguments);
  check->footer("Example: strobe config check configs/runs/quickstart.yaml --set core.rob=64");
  check->callback([&] { code = config_check(check_arguments.file, check_arguments.sets); });

  FileArguments explain_arguments;
  std::string key;
  CLI::App* explain = config->add_subcommand(
      "explain", "Show every value of a run file, where it comes from and what it means");
  add_file_arguments(explain, &explain_arguments);
  explain->add_option("KEY", key, "Show only this key and the keys below it");
  explain->footer("Example: strobe config explain configs/runs/quickstart.yaml core.predictor");
  explain->callback(
      [&] { code = config_explain(explain_arguments.file, key, explain_arguments.sets); });

  std::string schema_of = "run";
  CLI::App* schema =
      config->add_subcommand("schema", "Print the JSON schema of run or sweep files");
  schema->add_option("KIND", schema_of, "Kind of file: run (default) or sweep")
      ->check(CLI::IsMember({"run", "sweep"}));
  schema->footer("Example: strobe config schema sweep > sweep.schema.json");
  schema->callback([&] { code = config_schema(schema_of == "sweep"); });

  SynthOptions synth_options;
  CLI::App* synth = app.add_subcommand("synth",
                                       "Synthesize a profiler's RTL: area, timing, FPGA cells, and "
                                       "a proof that the netlist equals the RTL");
  synth->add_option("FILE", synth_options.file,
                    "Run file (YAML), whose active profiler is synthesized");
  synth->add_option("--set", synth_options.sets, "Set a key of the run file; VALUE is YAML")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  synth->add_flag("--all", synth_options.all,
                  "Synthesize every block and named configuration that configs/synth lists");
  synth
      ->add_option("--block", synth_options.blocks,
                   "Module of rtl/ with its parameters, such as 'strobe_tuple_queue Lanes=8'")
      ->allow_extra_args(false);
  synth
      ->add_option("--named", synth_options.named,
                   "Configuration named in configs/synth/configurations.yaml")
      ->allow_extra_args(false);
  synth->add_option("--library", synth_options.flow.library,
                    "Cell library: osu018 (default), osu035 or the path of a Liberty file");
  synth
      ->add_option("--feature", synth_options.flow.feature_nm,
                   "Feature size in nm of a Liberty file; the model of memories scales with it")
      ->check(CLI::Range(1.0, 10000.0));
  synth->add_option("--macros", synth_options.flow.macros,
                    "CSV file with the data of your own memory macros");
  synth->add_flag("--cells", synth_options.flow.cells_only,
                  "Report area and timing in cells only, without FPGA and proof");
  synth->add_option(
      "--netlists", synth_options.flow.netlists,
      "Folder to write each block's netlist to, as a source file that can replace its RTL module");
  synth->add_option("--power", synth_options.flow.power,
                    "VCD file of the block's netlist at work, from which its power is estimated");
  synth
      ->add_option("--format", synth_options.format,
                   "Output format: text (default), json, or markdown for a page of docs/")
      ->check(CLI::IsMember({"text", "json", "markdown"}));
  synth->footer("Example: strobe synth configs/runs/quickstart.yaml --format json");
  synth->callback([&] { code = synth_command(synth_options); });

  SweepOptions sweep_options;
  CLI::App* sweep = app.add_subcommand(
      "sweep", "Run every design point of a sweep file and keep the results in a database");
  sweep->add_option("FILE", sweep_options.file, "Sweep file (YAML)")->required();
  sweep->add_option("--out", sweep_options.out, "Directory for the results (default results/NAME)");
  sweep
      ->add_option("--jobs", sweep_options.jobs, "Runs at a time (default: one for each processor)")
      ->check(CLI::Range(1u, 100'000u));
  sweep
      ->add_option("--launcher", sweep_options.launcher,
                   "How runs are started: local (default), slurm or command")
      ->check(CLI::IsMember({"local", "slurm", "command"}));
  sweep->add_flag("--dry-run", sweep_options.dry_run, "Print the plan and start nothing");
  sweep->add_flag("--yes", sweep_options.yes,
                  "Do not ask before starting more runs than limits.runs");
  sweep->add_flag("--retry-failed", sweep_options.retry_failed,
                  "Also repeat the runs that failed before");
  sweep->add_flag("--force", sweep_options.force, "Also repeat the runs that are done");
  sweep->footer("Example: strobe sweep configs/sweeps/small.yaml --dry-run");
  sweep->callback([&] { code = sweep_command(sweep_options); });

  std::string explain_run;
  CLI::App* explain_result = app.add_subcommand(
      "explain", "Show what a run of a sweep found, how it ended and how to repeat it");
  explain_result
      ->add_option("RUN", explain_run,
                   "DIR/runs/ID of the run; the beginning of ID is enough when only one run has it")
      ->required();
  explain_result->footer("Example: strobe explain results/small/runs/3f2a");
  explain_result->callback([&] { code = explain_command(explain_run); });

  add_report_command(app, code);

  CLI::App* doctor = app.add_subcommand(
      "doctor", "Check that everything a run needs is installed and built; exit code 1 if not");
  doctor->footer("Example: strobe doctor");
  doctor->callback([&] { code = doctor_command(); });

  std::string called = "strobe";
  const std::string misspelt = misspelt_word(&app, argc, argv, &called);
  if (!misspelt.empty()) {
    fmt::print(stderr, "strobe: error: {}; '{} --help' lists all\n", misspelt, called);
    return kExitUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;  // the words may be the user's: they go the way of all others
    if (app.exit(error, out, err) == 0) {  // --help or --version
      fmt::print("{}", out.str());
      return kExitOk;
    }
    fmt::print(stderr, "strobe: error: {}; '{} --help' shows how to call it\n", error.what(),
               called);
    return kExitUsage;
  }
  return code;
}

}  // namespace strobe
