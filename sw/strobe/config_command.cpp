#include "sw/strobe/config_command.h"

#include <fmt/format.h>

#include "sw/config/json_schema.h"
#include "sw/config/load.h"
#include "sw/explore/sweep_schema.h"
#include "sw/strobe/exit_code.h"

namespace strobe {
namespace {

int report_faults(const config::LoadResult& loaded) {
  fmt::print(stderr, "{}", config::to_text(loaded.diagnostics));
  return kExitUsage;
}

}  // namespace

int config_check(const std::string& file, const std::vector<std::string>& sets) {
  const config::LoadResult loaded = config::load_run_config(file, sets);
  if (!loaded.good()) return report_faults(loaded);
  fmt::print("{}: ok\n", file);
  return kExitOk;
}

int config_explain(const std::string& file, const std::string& key,
                   const std::vector<std::string>& sets) {
  const config::LoadResult loaded = config::load_run_config(file, sets);
  if (!loaded.good()) return report_faults(loaded);
  std::vector<std::string> paths;
  bool found = false;
  for (const config::EffectiveValue& value : loaded.values) {
    paths.push_back(value.path);
    const bool below = key.empty() || value.path == key || value.path.rfind(key + ".", 0) == 0;
    if (!below) continue;
    found = true;
    fmt::print("{}: {}\n    {}; {}\n", value.path, value.value, value.origin, value.description);
  }
  if (found) return kExitOk;
  fmt::print(stderr, "strobe: error: no such key: '{}'{}; 'strobe config explain {}' lists all\n",
             key, config::did_you_mean(key, paths), file);
  return kExitUsage;
}

int config_schema(bool of_sweeps) {
  fmt::print("{}", of_sweeps ? explore::sweep_schema() : config::json_schema());
  return kExitOk;
}

}  // namespace strobe
