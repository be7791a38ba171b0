#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "sw/files/whole_file.h"
#include "sw/process/exit_code.h"
#include "sw/reproduce/bursty/bursty_figures.h"
#include "sw/reproduce/ephemeral/ephemeral_tables.h"
#include "sw/reproduce/hps/hps_figures.h"
#include "sw/reproduce/isca2001/isca2001_fig4.h"
#include "sw/reproduce/isca2001/isca2001_figures.h"
#include "sw/reproduce/limits.h"
#include "sw/reproduce/shim/shim_figures.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/commands/experiment_names.h"
#include "sw/text/diagnostic.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;
using reproduce::Reproduction;

struct Experiment {
  const char* name;
  const char* title;
  /// @param folder  for recorded streams, which are kept there
  Reproduction (*run)(const fs::path& folder);
};

// A new reproduction is one line here.
const Experiment kExperiments[] = {
    {"isca2001-fig4", "Six samplers on random streams, Monte Carlo",
     [](const fs::path&) { return reproduce::isca2001_fig4({}); }},
    {"isca2001-fig7", "Error and overhead against progress, all programs", isca2001_fig7},
    {"isca2001-fig8", "Error against progress, every program", isca2001_fig8},
    {"isca2001-fig9", "Table sizes of the stratified sampler", isca2001_fig9},
    {"isca2001-fig10", "Overhead with a second level", isca2001_fig10},
    {"isca2001-fig11", "Edges and call targets at once", isca2001_fig11},
    {"isca2001-measured", "Measured overhead beside analytical", isca2001_measured},
    {"bursty-fig6", "Bursty tracing: the basic overhead of the checks", bursty_fig6},
    {"bursty-fig7", "Bursty tracing: hot data streams against nCheck0 : nInstr0", bursty_fig7},
    {"bursty-fig8", "Bursty tracing: hot data streams with fewer checks", bursty_fig8},
    {"ephemeral-programs", "Ephemeral instrumentation: gain and overhead by program",
     ephemeral_programs},
    {"ephemeral-table2", "Their means beside wc's",
     [](const fs::path& folder) { return ephemeral_table(folder, 2); }},
    {"ephemeral-table3", "The same beside compress",
     [](const fs::path& folder) { return ephemeral_table(folder, 3); }},
    {"ephemeral-table4", "The same beside eqntott",
     [](const fs::path& folder) { return ephemeral_table(folder, 4); }},
    {"ephemeral-table5", "The same beside espresso",
     [](const fs::path& folder) { return ephemeral_table(folder, 5); }},
    {"ephemeral-table6", "The same beside vortex",
     [](const fs::path& folder) { return ephemeral_table(folder, 6); }},
    {"ephemeral-epochs", "The length of an epoch, and jitter", ephemeral_epochs},
    {"ephemeral-aliasing", "Epochs in step with a program", ephemeral_aliasing},
    {"ephemeral-profilers", "One optimizer fed by every profiler", ephemeral_profilers},
    {"shim-fig1", "SHIM: what three sample rates show", shim_fig1},
    {"shim-fig4", "SHIM: double-time error correction against the truth", shim_fig4},
    {"shim-fig5", "SHIM: how regular the period is", shim_fig5},
    {"shim-fig6", "SHIM: the observer's own rate", shim_fig6},
    {"shim-fig7", "SHIM: overhead of observing the running method", shim_fig7},
    {"shim-fig9", "SHIM: a producer and its observer on two cores", shim_fig9},
    {"shim-fig10", "SHIM: the same on one core", shim_fig10},
    {"shim-fig11", "SHIM: overhead of observing IPC on the same core", shim_fig11},
    {"shim-fig12", "SHIM: methods with IPC, and with misses besides", shim_fig12},
    {"shim-fig13", "SHIM: counters read from another core", shim_fig13},
    {"shim-fig14", "SHIM: stacks of a collector at two frequencies",
     [](const fs::path& folder) { return shim_phases(folder, 14); }},
    {"shim-fig15", "SHIM: its globals at two frequencies",
     [](const fs::path& folder) { return shim_phases(folder, 15); }},
    {"shim-fig16", "SHIM: its stacks with and without prefetchers",
     [](const fs::path& folder) { return shim_phases(folder, 16); }},
    {"shim-fig17", "SHIM: its globals with and without prefetchers",
     [](const fs::path& folder) { return shim_phases(folder, 17); }},
    {"shim-fig18", "SHIM: its globals without prefetchers at two frequencies",
     [](const fs::path& folder) { return shim_phases(folder, 18); }},
    {"shim-fig19", "SHIM: its IPC and bandwidth in time",
     [](const fs::path& folder) { return shim_phases(folder, 19); }},
    {"shim-changes", "SHIM: the changes of hardware that the paper asks for", shim_changes},
    {"hps-fig6", "Plain DISE and HPS: what each part of the overhead costs", hps_fig6},
    {"hps-fig7", "HPS: accuracy and overhead against the sampling frequency", hps_fig7},
    {"hps-fig8", "HPS: accuracy against the burst length", hps_fig8},
    {"hps-cost", "HPS: what a collected event costs, by predictor, depth and rate", hps_cost},
};

/// Prints the names and titles of what can be reproduced.
int reproduce_list() {
  for (const Experiment& experiment : kExperiments) {
    fmt::print("{:<21}{}\n", experiment.name, experiment.title);
  }
  return kExitOk;
}

/// Runs one, prints its verdicts and, with a directory, writes NAME.md, and an SVG and a CSV file a
/// figure. @return the exit code: 1 when the paper and this differ, 3 when runs failed
int reproduce_figure(const std::string& name, const std::string& out) {
  std::vector<std::string> names;
  for (const Experiment& experiment : kExperiments) {
    names.emplace_back(experiment.name);
    if (name != experiment.name) continue;
    const fs::path folder =
        out.empty() ? fs::temp_directory_path() / "strobe-reproduce" : fs::path(out);
    try {
      fs::create_directories(folder);
      const Reproduction found = experiment.run(folder);
      if (!out.empty()) {
        files::write_whole(folder / (name + ".md"), reproduce::to_markdown(found));
        for (const report::Figure& figure : found.figures) {
          files::write_whole(folder / (figure.name + ".svg"), report::to_svg(figure));
          files::write_whole(folder / (figure.name + ".csv"), report::to_csv(figure));
        }
      }
      fmt::print("{}", reproduce::verdict_lines(found));
      if (!found.failed.empty()) return kExitSimulation;
      return all_hold(found) ? kExitOk : kExitCheckFailed;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      fmt::print(stderr, "strobe: error: {}: {}\n", name, error.what());
      return kExitSimulation;
    }
  }
  fmt::print(stderr,
             "strobe: error: no such reproduction: '{}'{}; 'strobe reproduce --list' names them\n",
             name, text::did_you_mean(name, names));
  return kExitUsage;
}

}  // namespace

void add_reproduce_command(CLI::App& app, Invocation& invocation) {
  struct Arguments {
    std::string name, out;
    bool list = false, limits = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(kReproduce.name, kReproduce.description);
  auto* list =
      command->add_flag("--list", arguments->list, "List the figures that can be reproduced");
  auto* limits = command->add_flag("--limits", arguments->limits,
                                   "Print the limits that decide the verdicts, with reasons");
  command->add_option("NAME", arguments->name, "Figure to reproduce, such as isca2001-fig4")
      ->excludes(list)
      ->excludes(limits);
  command->add_option("--out", arguments->out, "Directory for NAME.md and its figures");
  command->footer("Example: strobe reproduce isca2001-fig4 --out results/fig4");
  command->callback([arguments, &invocation] {
    if (arguments->limits) {
      fmt::print("{}", reproduce::limits_page());
      return;
    }
    invocation.code =
        arguments->list ? reproduce_list() : reproduce_figure(arguments->name, arguments->out);
  });
}

}  // namespace strobe
