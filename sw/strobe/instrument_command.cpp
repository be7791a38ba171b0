#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sw/config/load.h"
#include "sw/instrument/bursty/instrumented_program.h"
#include "sw/measure/instrumented_run.h"
#include "sw/object/file/object_file.h"
#include "sw/process/exit_code.h"
#include "sw/strobe/arguments.h"
#include "sw/strobe/commands.h"
#include "sw/strobe/program_file.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

struct InstrumentOptions {
  std::string file, out;
  std::vector<std::string> sets;
};

std::string summary(const instrument::InstrumentedProgram& program) {
  const instrument::BurstyCounts& counts = program.counts;
  std::string out = fmt::format(
      "functions     {} in two copies, {} checks at entries, {} at back-edges, {} boring loops\n"
      "events        {} places record them; {} times no register was free\n"
      "code          {} bytes, {:.2f} times the {} before\n",
      counts.functions, counts.entry_checks, counts.loop_checks, counts.boring_loops, counts.sites,
      counts.spills, counts.bytes_after,
      static_cast<double>(counts.bytes_after) / static_cast<double>(counts.bytes_before),
      counts.bytes_before);
  for (const object::LeftAlone& one : program.left_alone) {
    out += fmt::format("left alone    {}: {}\n", one.place, one.reason);
  }
  return out;
}

int instrument_command(const InstrumentOptions& options) {
  const config::LoadResult loaded = config::load_run_config(options.file, options.sets);
  if (!loaded.good()) {
    fmt::print(stderr, "{}", text::to_text(loaded.diagnostics));
    return kExitUsage;
  }
  const config::RunConfig& configuration = loaded.configuration;
  if (!configuration.instrument.given()) {
    fmt::print(stderr,
               "strobe: error: {}: instrument.kind: expected bursty, got none; add the key, or "
               "--set instrument.kind=bursty\n",
               options.file);
    return kExitUsage;
  }
  try {
    const instrument::InstrumentedProgram program = instrumented_program(configuration);
    put_in_place(options.out + ".json", to_json(program).dump() + "\n", /*executable=*/false);
    put_in_place(options.out, {program.elf.begin(), program.elf.end()}, /*executable=*/true);
    fmt::print("{}written       {}, and the map of its addresses: {}.json\n", summary(program),
               options.out, options.out);
    return kExitOk;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    fmt::print(stderr, "strobe: error: {}\n", error.what());
    return kExitUsage;
  }
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
