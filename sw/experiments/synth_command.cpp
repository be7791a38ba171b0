#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sc_models/machine/profiler/profiler_setup.h"
#include "sc_models/profiling/observers/storage.h"
#include "sw/config/load.h"
#include "sw/experiments/profiler_point.h"
#include "sw/process/exit_code.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/commands/experiment_names.h"
#include "sw/synth/synthesis.h"
#include "sw/synth/tools/files.h"
#include "sw/text/json_text.h"

namespace strobe {
namespace {

struct SynthOptions {
  std::string file;                 // a run file: the RTL of its active profiler; empty: none
  std::vector<std::string> sets;    // --set, in order
  std::vector<std::string> blocks;  // "MODULE NAME=NUMBER ..."
  std::vector<std::string> named;   // configurations of configs/synth/configurations.yaml
  bool all = false;                 // every block and configuration that configs/synth lists
  std::string format = "text";      // text, json or markdown
  synth::Options flow;
};

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
  throw std::invalid_argument(fmt::format(
      "{}: no profiler is active, so there is no RTL to synthesize; set profilers.0.active=true",
      configuration.source));
}

std::vector<synth::Point> listed_blocks() {
  text::Diagnostics diagnostics;
  auto list = synth::read_blocks((synth::source_directory() / "configs/synth/blocks.yaml").string(),
                                 &diagnostics);
  if (!diagnostics.empty()) throw Faults{text::to_text(diagnostics)};
  return std::move(list.blocks);
}

config::RunConfig loaded_run(const std::string& file, const std::vector<std::string>& sets) {
  config::LoadResult loaded = config::load_run_config(file, sets);
  if (!loaded.good()) throw Faults{text::to_text(loaded.diagnostics)};
  return std::move(loaded.configuration);
}

std::vector<synth::Subject> named_configurations() {
  const config::RunConfig run =
      loaded_run((synth::source_directory() / "configs/synth/configurations.yaml").string(), {});
  std::vector<synth::Subject> subjects;
  for (const config::ProfilerConfig& profiler : run.profilers) {
    subjects.push_back({profiler_point(run, profiler), profiler.name,
                        profiling::storage_bits(platform::path_params(run, profiler))});
  }
  return subjects;
}

const synth::Subject& find(const std::vector<synth::Subject>& configurations,
                           const std::string& name) {
  std::string known;
  for (const synth::Subject& subject : configurations) {
    if (subject.configuration == name) return subject;
    known += (known.empty() ? "" : ", ") + subject.configuration;
  }
  throw std::invalid_argument(fmt::format("--named: expected a name of {}, got '{}'; known are {}",
                                          "configs/synth/configurations.yaml", name, known));
}

std::vector<synth::Subject> subjects_of(const SynthOptions& options) {
  std::vector<synth::Subject> subjects;
  std::vector<synth::Subject> configurations;
  if (options.all || !options.named.empty()) configurations = named_configurations();
  if (options.all) {
    for (const synth::Point& point : listed_blocks()) subjects.push_back({point});
    subjects.insert(subjects.end(), configurations.begin(), configurations.end());
  }
  for (const std::string& name : options.named) subjects.push_back(find(configurations, name));
  for (const std::string& text : options.blocks) subjects.push_back({synth::parse_point(text)});
  if (!options.file.empty()) {
    const config::RunConfig run = loaded_run(options.file, options.sets);
    for (const synth::Point& point : synth::blocks_of(point_of(run))) subjects.push_back({point});
  }
  if (subjects.empty())
    throw std::invalid_argument(
        "synth: nothing to synthesize; give a run file, --block, --named or --all");
  return subjects;
}

/// Says on stderr how long each step took that was not in the cache, and the whole.
class Timekeeper {
 public:
  explicit Timekeeper(size_t subjects) : subjects_(subjects) {}

  void finished(const char* step, size_t number, const synth::Subject& subject) {
    const double seconds = seconds_since(last_);
    last_ = Clock::now();
    if (seconds < kWorthALine) return;
    fmt::print(stderr, "strobe: synth: {} of {}: {}, {}, {:.0f} s\n", number, subjects_,
               subject.text(), step, seconds);
  }
  void all_finished() const {
    fmt::print(stderr, "strobe: synth: {} in {:.1f} s\n", subjects_, seconds_since(start_));
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kWorthALine = 1;

  static double seconds_since(Clock::time_point time) {
    return std::chrono::duration<double>(Clock::now() - time).count();
  }

  size_t subjects_;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

int synth_command(const SynthOptions& options) {
  try {
    const std::vector<synth::Subject> subjects = subjects_of(options);
    Timekeeper timekeeper(subjects.size());
    synth::Options flow = options.flow;
    flow.finished = [&](const char* step, size_t number, const synth::Subject& subject) {
      timekeeper.finished(step, number, subject);
    };
    const synth::Report report = synth::synthesize(subjects, flow);
    timekeeper.all_finished();
    fmt::print(stderr, "{}", synth::failed_recipes_text(report));
    fmt::print("{}", options.format == "json"
                         ? text::json_text(synth::report_json(report), 2) + "\n"
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

}  // namespace

void add_synth_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<SynthOptions>();
  CLI::App* command = app.add_subcommand(kSynth.name, kSynth.description);
  command->add_option("FILE", options->file,
                      "Run file (YAML), whose active profiler is synthesized");
  command->add_option("--set", options->sets, "Set a key of the run file; VALUE is YAML")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_flag("--all", options->all,
                    "Synthesize every block and named configuration that configs/synth lists");
  command
      ->add_option("--block", options->blocks,
                   "Module of rtl/ with its parameters, such as 'strobe_tuple_queue Lanes=8'")
      ->allow_extra_args(false);
  command
      ->add_option("--named", options->named,
                   "Configuration named in configs/synth/configurations.yaml")
      ->allow_extra_args(false);
  command->add_option("--library", options->flow.library,
                      "Cell library: osu018 (default), osu035 or the path of a Liberty file");
  command
      ->add_option("--feature", options->flow.feature_nm,
                   "Feature size in nm of a Liberty file; the model of memories scales with it")
      ->check(CLI::Range(1.0, 10000.0));
  command->add_option("--macros", options->flow.macros,
                      "CSV file with the data of your own memory macros");
  command->add_flag("--cells", options->flow.cells_only,
                    "Report area and timing in cells only, without FPGA and proof");
  command->add_option(
      "--netlists", options->flow.netlists,
      "Folder to write each block's netlist to, as a source file that can replace its RTL module");
  command->add_option("--power", options->flow.power,
                      "VCD file of the block's netlist at work, from which its power is estimated");
  command
      ->add_option("--format", options->format,
                   "Output format: text (default), json, or markdown for a page of docs/")
      ->check(CLI::IsMember({"text", "json", "markdown"}));
  command->footer("Example: strobe synth configs/runs/quickstart.yaml --format json");
  command->callback([options, &invocation] { invocation.code = synth_command(*options); });
}

}  // namespace strobe
