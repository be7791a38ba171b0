#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sc_models/isa/linux/process.h"
#include "sw/config/load.h"
#include "sw/files/whole_file.h"
#include "sw/instrument/bursty/instrumented_program.h"
#include "sw/instrument/ephemeral/hooked_program.h"
#include "sw/instrument/signals/signaled_program.h"
#include "sw/measure/instrumented/bursty_run.h"
#include "sw/measure/instrumented/ephemeral_run.h"
#include "sw/measure/instrumented/signals_run.h"
#include "sw/measure/run_manifest.h"
#include "sw/object/file/object_file.h"
#include "sw/process/exit_code.h"
#include "sw/strobe/arguments.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/faults.h"
#include "sw/strobe/program_file.h"

namespace strobe {
namespace {

struct InstrumentOptions {
  std::string file, out;
  std::vector<std::string> sets;
};

std::string growth(uint64_t after, uint64_t before) {
  return fmt::format("code          {} bytes, {:.2f} times the {} before\n", after,
                     static_cast<double>(after) / static_cast<double>(before), before);
}

std::string summary(const instrument::InstrumentedProgram& program) {
  const instrument::BurstyCounts& counts = program.counts;
  return fmt::format(
             "functions     {} in two copies, {} checks at entries, {} at back-edges, {} boring "
             "loops\n"
             "events        {} places record them; {} times no register was free\n",
             counts.functions, counts.entry_checks, counts.loop_checks, counts.boring_loops,
             counts.sites, counts.spills) +
         growth(counts.bytes_after, counts.bytes_before);
}

std::string summary(const instrument::HookedProgram& program) {
  const instrument::EphemeralCounts& counts = program.counts;
  return fmt::format(
             "branches      {} and {} indirect jumps hooked, in {} functions; stubs in {} places\n"
             "registers     {} saved, where too few were free\n",
             counts.branches, counts.jumps, counts.functions, counts.islands, counts.spills) +
         growth(counts.bytes_after, counts.bytes_before);
}

std::string summary(const instrument::SignaledProgram& program) {
  const instrument::SignalsCounts& counts = program.counts;
  return fmt::format(
             "signals       {} functions and {} loops; written at {} entries, {} returns, {} "
             "back-edges\n"
             "registers     {} saved, where none was free\n",
             counts.functions, counts.loops, counts.entries, counts.returns, counts.back_edges,
             counts.spills) +
         growth(counts.bytes_after, counts.bytes_before);
}

/// Writes the program, and the map of its addresses beside it.
template <class Program>
void write(const Program& program, const std::string& out) {
  const std::string map = to_json(program).dump() + "\n";
  files::write_whole({{out + ".json", map}, program_content(out, program.elf)});
  fmt::print("{}{}", summary(program), left_alone_lines(program.left_alone));
  fmt::print("written       {}, and the map of its addresses: {}.json\n", out, out);
}

int instrument_command(const InstrumentOptions& options) {
  const config::LoadResult loaded = config::load_run_config(options.file, options.sets);
  if (!loaded.good()) {
    fmt::print(stderr, "{}", text::to_text(loaded.diagnostics));
    return kExitUsage;
  }
  const config::RunConfig& configuration = loaded.configuration;
  if (!configuration.instrument.given()) {
    fmt::print(
        stderr,
        "strobe: error: {}: instrument.kind: expected bursty, ephemeral or signals, got none; add "
        "the key, or --set instrument.kind=bursty\n",
        options.file);
    return kExitUsage;
  }
  return say_faults(kExitUsage, [&] {
    warn_of_program(*isa::open_program(configuration.workload.elf));
    switch (configuration.instrument.kind) {
      case config::Instrumentation::kEphemeral:
        write(hooked_program(configuration), options.out);
        break;
      case config::Instrumentation::kSignals:
        write(signaled_program(configuration), options.out);
        break;
      default:
        write(instrumented_program(configuration), options.out);
        break;
    }
    return kExitOk;
  });
}

}  // namespace

void add_instrument_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<InstrumentOptions>();
  CLI::App* command = app.add_subcommand(
      "instrument",
      "Link the instrumentation of a run file into its program, as a file of its own");
  add_run_file(*command, options->file, options->sets, "instrument.variant=orig");
  command->add_option("--out", options->out, "Program to write; its map goes to the same name.json")
      ->required();
  command->footer(
      "Example: strobe instrument configs/runs/bursty.yaml --out results/lz-bursty.elf");
  command->callback([options, &invocation] { invocation.code = instrument_command(*options); });
}

}  // namespace strobe
