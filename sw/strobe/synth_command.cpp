#include "sw/strobe/synth_command.h"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>

#include "sc_models/platform/profiler_setup.h"
#include "sc_models/profiling/observers/storage.h"
#include "sw/config/load.h"
#include "sw/strobe/exit_code.h"
#include "sw/synth/files.h"
#include "sw/text/json_text.h"

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
  throw std::invalid_argument(fmt::format(
      "{}: no profiler is active, so there is no RTL to synthesize; set profilers.0.active=true",
      configuration.source));
}

std::vector<synth::Point> listed_blocks() {
  config::Diagnostics diagnostics;
  auto list = synth::read_blocks((synth::source_directory() / "configs/synth/blocks.yaml").string(),
                                 &diagnostics);
  if (!diagnostics.empty()) throw Faults{config::to_text(diagnostics)};
  return std::move(list.blocks);
}

config::RunConfig loaded_run(const std::string& file, const std::vector<std::string>& sets) {
  config::LoadResult loaded = config::load_run_config(file, sets);
  if (!loaded.good()) throw Faults{config::to_text(loaded.diagnostics)};
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

}  // namespace strobe
