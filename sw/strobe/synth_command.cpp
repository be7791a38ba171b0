#include "sw/strobe/synth_command.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sc_models/platform/profiler_setup.h"
#include "sw/config/load.h"
#include "sw/strobe/exit_code.h"
#include "sw/synth/files.h"

namespace strobe {
namespace {

/// Faults of a file, as they are printed.
struct Faults {
  std::string text;
};

/// The profiling path of a run's active profiler.
synth::Point point_of(const config::RunConfig& configuration) {
  for (const config::ProfilerConfig& profiler : configuration.profilers) {
    if (!profiler.active) continue;
    return profiler_point(configuration, profiler);
  }
  throw std::invalid_argument(
      fmt::format("{}: no profiler is active, so nothing of it is RTL; set profilers.0.active=true",
                  configuration.source));
}

std::vector<synth::Point> listed_blocks() {
  config::Diagnostics diagnostics;
  auto points = synth::read_blocks(
      (synth::source_directory() / "configs/synth/blocks.yaml").string(), &diagnostics);
  if (!diagnostics.empty()) throw Faults{config::to_text(diagnostics)};
  return points;
}

std::vector<synth::Point> points_of(const SynthOptions& options) {
  std::vector<synth::Point> points;
  if (options.all) points = listed_blocks();
  for (const std::string& text : options.blocks) points.push_back(synth::parse_point(text));
  if (!options.file.empty()) {
    const config::LoadResult loaded = config::load_run_config(options.file, options.sets);
    if (!loaded.good()) throw Faults{config::to_text(loaded.diagnostics)};
    for (const synth::Point& point : synth::blocks_of(point_of(loaded.configuration)))
      points.push_back(point);
  }
  if (points.empty())
    throw std::invalid_argument("synth: nothing to synthesize; give a run file, --block or --all");
  return points;
}

}  // namespace

synth::Point profiler_point(const config::RunConfig& configuration,
                            const config::ProfilerConfig& profiler) {
  synth::Point point{"strobe_profiler", {}};
  const profiling::PathParams params = platform::path_params(configuration, profiler);
  for (const profiling::PathParameter& parameter : profiling::kPathParameters)
    point.parameters[parameter.rtl] = params.*parameter.field;
  return point;
}

int synth_command(const SynthOptions& options) {
  try {
    const synth::Report report = synth::synthesize(points_of(options), options.flow);
    fmt::print(stderr, "{}", synth::failed_recipes_text(report));
    fmt::print("{}", options.format == "json"       ? synth::report_json(report).dump(2) + "\n"
                     : options.format == "markdown" ? synth::report_markdown(report)
                                                    : synth::report_text(report));
    return kExitOk;
  } catch (const Faults& faults) {
    fmt::print(stderr, "{}", faults.text);
    return kExitUsage;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "strobe: error: {}\n", error.what());
    return kExitUsage;
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "strobe: error: {}\n", error.what());
    return kExitCheckFailed;
  }
}

}  // namespace strobe
