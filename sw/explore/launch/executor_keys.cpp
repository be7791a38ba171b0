// The key of a point: the hash of everything that decides its result.
#include <fmt/format.h>

#include "sw/explore/launch/executor.h"
#include "sw/explore/launch/left_behind.h"
#include "sw/text/json_text.h"

namespace strobe::explore {

using nlohmann::json;

bool Executor::names_inputs(const Space& space) {
  for (const Axis& axis : space.axes()) {
    for (const std::string& key : axis.keys) {
      if (key == "decode" || key.rfind("decode.productions", 0) == 0 || key == "workload.stdin") {
        return true;
      }
    }
  }
  return false;
}

const json& Executor::input(const std::string& path) {
  json& known = inputs_[path];
  if (known.is_null()) known = identity_of(path);
  return known;
}

json Executor::inputs_of(const config::RunConfig& configuration) {
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

const std::string& Executor::workload_identity(size_t workload) {
  std::string& identity = workload_identities_[workload];
  if (identity.empty()) {
    identity = configuration_identity(
        config::load_run_tree(space_.base(workload), space_.directory()), true);
  }
  return identity;
}

/// The files that a run reads count by their names and contents, not by their paths.
std::string Executor::configuration_identity(const config::LoadResult& loaded,
                                             bool with_profilers) {
  std::string text = environment_.identity;
  for (const config::EffectiveValue& value : loaded.values) {
    if (value.path == "workload.elf") continue;
    if (!with_profilers && value.path.rfind("profilers.", 0) == 0 &&
        value.path.rfind("profilers.0.selectors.", 0) != 0) {
      continue;
    }
    text += "\n" + value.path + "=" + value.value;
  }
  return hash_text(text + "\ninputs=" + text::json_text(inputs_of(loaded.configuration)));
}

std::string Executor::key_of(const Point& point) {
  std::string text =
      fmt::format("{}\n{}\n{}\n{}", workload_identity(point.workload), space_.seed(point.seed),
                  point.budget, space_.identity(point.design));
  if (inputs_vary_) {
    const config::LoadResult loaded = config::load_run_tree(space_.tree(point), space_.directory());
    if (loaded.good()) text += "\n" + text::json_text(inputs_of(loaded.configuration));
  }
  return hash_text(text);
}

}  // namespace strobe::explore
