#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw/config/load.h"
#include "sw/config/tree.h"
#include "sw/files/whole_file.h"
#include "sw/optimize/bolt.h"
#include "sw/optimize/optimized_program.h"
#include "sw/process/exit_code.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/commands/experiment_names.h"
#include "sw/strobe/faults.h"
#include "sw/strobe/program_file.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

struct OptimizeOptions {
  std::string file, profile, core, out, layout = "traces";
  optimize::Options scheduling;
};

/// The core that a file of configs/cores describes. @return false after saying what is wrong with
/// it
bool read_core(const OptimizeOptions& options, core::CoreParams* core) {
  text::Diagnostics diagnostics;
  yaml::Node root, keys;
  // A run file must name its program. As JSON a path is quoted in a way that YAML reads too.
  const nlohmann::json program = {{"workload", {{"elf", fs::absolute(options.file).string()}}}};
  if (config::load_tree(options.core, {}, &keys, &diagnostics) &&
      config::load_tree_text(program.dump(), options.file, {}, &root, &diagnostics)) {
    config::apply({{"core"}, keys}, &root, &diagnostics);
  }
  if (diagnostics.empty()) {
    const config::LoadResult loaded = config::load_run_tree(root, "");
    diagnostics = loaded.diagnostics;
    *core = loaded.configuration.core;
  }
  fmt::print(stderr, "{}", text::to_text(diagnostics));
  return diagnostics.empty();
}

std::string summary(const optimize::OptimizedProgram& program) {
  const optimize::Counts& counts = program.counts;
  return fmt::format(
             "functions     {} laid out anew, with {} superblocks\n"
             "instructions  {}, {:.2f} times the {} before\n"
             "estimate      {:.0f} cycles by block frequencies and lengths of schedules\n",
             counts.functions, counts.superblocks, counts.instructions_after,
             static_cast<double>(counts.instructions_after) /
                 static_cast<double>(counts.instructions_before),
             counts.instructions_before, counts.cycles) +
         left_alone_lines(program.left_alone);
}

void write_program(const OptimizeOptions& options, const std::vector<uint8_t>& elf) {
  files::write_whole({program_content(options.out, elf)});
  fmt::print("written       {}\n", options.out);
}

int bolt_command(const OptimizeOptions& options) {
  return say_faults(kExitUsage, [&] {
    write_program(options,
                  optimize::lay_out_with_bolt(instrument::linked_program(options.file, ""),
                                              optimize::read_edge_counts(options.profile)));
    return kExitOk;
  });
}

int optimize_command(const OptimizeOptions& options) {
  if (options.layout == "bolt") return bolt_command(options);
  if (options.core.empty()) {
    fmt::print(stderr, "strobe: error: --core is required; name a file of configs/cores\n");
    return kExitUsage;
  }
  core::CoreParams core;
  if (!read_core(options, &core)) return kExitUsage;
  return say_faults(kExitUsage, [&] {
    const instrument::LinkedProgram original = instrument::linked_program(options.file, "");
    const optimize::OptimizedProgram program = optimize::optimize_program(
        original, optimize::read_edge_counts(options.profile), core, options.scheduling);
    fmt::print("{}", summary(program));
    write_program(options, program.elf);
    return kExitOk;
  });
}

}  // namespace

void add_optimize_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<OptimizeOptions>();
  CLI::App* command = app.add_subcommand(kOptimize.name, kOptimize.description);
  command->add_option("FILE", options->file, "Program, with its link command in FILE.link")
      ->required();
  command
      ->add_option("--profile", options->profile,
                   "Result directory of a run of the program, or a profile.NAME.csv in it")
      ->required();
  command->add_option("--core", options->core,
                      "Core to schedule for, as in configs/cores; not needed with --layout bolt");
  command->add_option("--out", options->out, "Program to write")->required();
  command->add_flag("--local", options->scheduling.local,
                    "Schedule each basic block alone, without superblocks");
  command
      ->add_option("--threshold", options->scheduling.traces.threshold,
                   "Least probability of a successor on a superblock, 0.5 to 1")
      ->check(CLI::Range(0.5, 1.0))
      ->capture_default_str();
  command
      ->add_option("--unroll", options->scheduling.traces.most_unrolled,
                   "Most copies of a loop's body in a row, 1 to 4")
      ->check(CLI::Range(1, 4))
      ->capture_default_str();
  command
      ->add_option("--peel", options->scheduling.traces.most_peeled,
                   "Most copies of a loop's body before the loop, 0 to 4")
      ->check(CLI::Range(0, 4))
      ->capture_default_str();
  command
      ->add_option("--layout", options->layout,
                   "What lays the code out: traces, or bolt, which orders blocks and functions "
                   "and schedules nothing; it uses FILE and --profile alone")
      ->check(CLI::IsMember({"traces", "bolt"}))
      ->capture_default_str();
  command->footer(
      "Example: strobe optimize build/release/guest/workloads/othello.elf --profile "
      "results/quickstart/profile.stratified.csv "
      "--core configs/cores/hps2005.yaml --out results/othello-fast.elf");
  command->callback([options, &invocation] { invocation.code = optimize_command(*options); });
}

}  // namespace strobe
