#include "sw/explore/launch/run_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "sw/explore/launch/left_behind.h"
#include "sw/explore/space/merge.h"
#include "sw/text/json_text.h"

namespace strobe::explore {

using nlohmann::json;

namespace {

/// The sections of a run file that do not reach the run without profiling, and what is only
/// reported.
constexpr std::array<std::string_view, 9> kOfProfiling = {"profilers",
                                                          "truth",
                                                          "trace",
                                                          "timer",
                                                          "shim",
                                                          "instrument",
                                                          "progress",
                                                          "exhaustive_bytes",
                                                          "exhaustive_profiles"};

/// Whether an axis can name a file that runs read: the program's standard input, or productions.
bool names_inputs(const Space& space) {
  for (const Axis& axis : space.axes()) {
    for (const std::string& key : axis.keys) {
      if (key == "decode" || key.rfind("decode.productions", 0) == 0 || key == "workload.stdin") {
        return true;
      }
    }
  }
  return false;
}

bool is_of_profiling(const std::string& path) {
  const std::string_view section = std::string_view(path).substr(0, path.find('.'));
  return std::find(kOfProfiling.begin(), kOfProfiling.end(), section) != kOfProfiling.end();
}

bool is_of_observers(const std::string& path) {
  return path.rfind("profilers.", 0) == 0 && path.rfind("profilers.0.selectors.", 0) != 0;
}

/// Whether anything of a run may depend on its seed. A profiler has the key `seed` only where it
/// draws, and 0 derives it from the run's.
bool draws_from_seed(const config::LoadResult& loaded) {
  const auto derives = [](const config::EffectiveValue& value) {
    const std::vector<std::string> path = config::split_path(value.path);
    return path.size() == 3 && path[0] == "profilers" && path[2] == "seed" && value.value == "0";
  };
  return config::draws_from_seed(loaded.configuration) ||
         std::any_of(loaded.values.begin(), loaded.values.end(), derives);
}

/// The same run without what profiles it.
config::RunConfig unprofiled(config::RunConfig configuration) {
  configuration.profilers.clear();
  configuration.truth = {};
  configuration.timer = {};
  configuration.shim = {};
  configuration.instrument = {};
  configuration.exhaustive_bytes = 0;
  return configuration;
}

}  // namespace

RunKeys::RunKeys(const Space& space, const Environment& environment)
    : space_(space), environment_(environment), inputs_vary_(names_inputs(space)) {}

const json& RunKeys::input(const std::string& path) {
  json& known = inputs_[path];
  if (known.is_null()) known = identity_of(path);
  return known;
}

json RunKeys::inputs_of(const config::RunConfig& configuration) {
  json productions = json::array();
  for (const std::string& file : configuration.decode.productions) {
    productions.push_back(input(file));
  }
  const std::string& standard_input = configuration.workload.stdin_file;
  return {{"strobe", input(environment_.strobe)},
          {"elf", input(configuration.workload.elf)},
          {"firmware", input(environment_.firmware)},
          {"stdin", standard_input.empty() ? json() : input(standard_input)},
          {"productions", productions},
          {"rtl", environment_.rtl(configuration)}};
}

template <class Counts>
std::string RunKeys::identity(const config::LoadResult& loaded, const Counts& counts) {
  std::string text = environment_.identity;
  for (const config::EffectiveValue& value : loaded.values) {
    if (value.path == "workload.elf" || !counts(value.path)) continue;
    text += "\n" + value.path + "=" + value.value;
  }
  return text;
}

const std::string& RunKeys::of_workload(size_t workload) {
  std::string& key = of_workloads_[workload];
  if (key.empty()) {
    const config::LoadResult loaded =
        config::load_run_tree(space_.base(workload), space_.directory());
    key = hash_text(identity(loaded, [](const std::string&) { return true; }) +
                    "\ninputs=" + text::json_text(inputs_of(loaded.configuration)));
  }
  return key;
}

std::string RunKeys::of_point(const Point& point) {
  std::string text =
      fmt::format("{}\n{}\n{}\n{}", of_workload(point.workload), space_.seed(point.seed),
                  point.budget, space_.identity(point.design));
  if (inputs_vary_) {
    const config::LoadResult loaded = config::load_run_tree(space_.tree(point), space_.directory());
    if (loaded.good()) text += "\n" + text::json_text(inputs_of(loaded.configuration));
  }
  return hash_text(text);
}

std::string RunKeys::of_run(const std::string& kind, const config::LoadResult& loaded) {
  const bool draws = draws_from_seed(loaded);
  const auto counts = [draws](const std::string& path) { return draws || path != "seed"; };
  const std::string build =
      kind == "replay" ? std::string() : environment_.rtl_build(loaded.configuration);
  return hash_text(kind + build + identity(loaded, counts) +
                   "\ninputs=" + text::json_text(inputs_of(loaded.configuration)));
}

std::string RunKeys::of_stream(const config::LoadResult& loaded) {
  const bool draws = config::draws_from_seed(unprofiled(loaded.configuration));
  const auto counts = [draws](const std::string& path) {
    return !is_of_observers(path) && (draws || path != "seed");
  };
  return hash_text(identity(loaded, counts) +
                   "\ninputs=" + text::json_text(inputs_of(loaded.configuration)));
}

std::string RunKeys::of_baseline(const config::LoadResult& loaded) {
  const config::RunConfig& configuration = loaded.configuration;
  if (!configuration.baseline || !config::costs_cycles(configuration)) return "";
  const bool draws = config::draws_from_seed(unprofiled(configuration));
  const auto counts = [draws](const std::string& path) {
    return !is_of_profiling(path) && (draws || path != "seed");
  };
  // A program that writes files may find those of its own baseline.
  if (!configuration.workload.write.empty()) return of_run("baseline", loaded);
  json inputs = inputs_of(configuration);
  inputs.erase("rtl");
  return hash_text("baseline" + identity(loaded, counts) + "\ninputs=" + text::json_text(inputs));
}

Distinct distinct_runs(const Space& space, const Plan& plan, RunKeys& keys) {
  constexpr size_t kCounted = 1000;  // each takes milliseconds to prepare
  if (plan.runs.size() > kCounted) return {plan.runs.size(), plan.recordings, 0, false};
  std::set<std::string> runs, streams, baselines;
  for (const PlannedRun& run : plan.runs) {
    const MergedRun merged = merge(space, points_of(plan, run));
    if (!merged.loaded.good()) continue;  // refused when it is prepared
    const bool is_new =
        runs.insert(keys.of_run(run.replay ? "replay" : "run", merged.loaded)).second;
    if (run.replay) {
      streams.insert(keys.of_stream(merged.loaded));
    } else if (is_new) {
      baselines.insert(keys.of_baseline(merged.loaded));
    }
  }
  baselines.erase("");
  return {runs.size(), streams.size(), baselines.size(), true};
}

}  // namespace strobe::explore
