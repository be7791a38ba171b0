#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "sw/config/json_schema.h"
#include "sw/config/load.h"
#include "sw/explore/space/sweep_schema.h"
#include "sw/process/exit_code.h"
#include "sw/strobe/arguments.h"
#include "sw/strobe/commands/commands.h"
#include "sw/text/diagnostic.h"

namespace strobe {
namespace {

int report_faults(const config::LoadResult& loaded) {
  fmt::print(stderr, "{}", text::to_text(loaded.diagnostics));
  return kExitUsage;
}

/// Prints "FILE: ok" or everything that is wrong with the file.
int config_check(const std::string& file, const std::vector<std::string>& sets) {
  const config::LoadResult loaded = config::load_run_config(file, sets);
  if (!loaded.good()) return report_faults(loaded);
  fmt::print("{}: ok\n", file);
  return kExitOk;
}

/// Prints each value at or below `key` (empty: all), its origin and its meaning.
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
             key, text::did_you_mean(key, paths), file);
  return kExitUsage;
}

/// Prints the JSON schema of run files, or of sweep files.
int config_schema(bool of_sweeps) {
  fmt::print("{}", of_sweeps ? explore::sweep_schema() : config::json_schema());
  return kExitOk;
}

}  // namespace

void add_config_command(CLI::App& app, Invocation& invocation) {
  struct Arguments {
    std::string file, key, schema = "run";
    std::vector<std::string> sets;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* config = app.add_subcommand("config", "Check and explain run files");
  config->require_subcommand(1);
  config->footer("Example: strobe config check configs/runs/quickstart.yaml");

  CLI::App* check =
      config->add_subcommand("check", "Report everything that is wrong with a run file");
  add_run_file(*check, arguments->file, arguments->sets);
  check->footer("Example: strobe config check configs/runs/quickstart.yaml --set core.rob=64");
  check->callback([arguments, &invocation] {
    invocation.code = config_check(arguments->file, arguments->sets);
  });

  CLI::App* explain = config->add_subcommand(
      "explain", "Show every value of a run file, where it comes from and what it means");
  add_run_file(*explain, arguments->file, arguments->sets);
  explain->add_option("KEY", arguments->key, "Show only this key and the keys below it");
  explain->footer("Example: strobe config explain configs/runs/quickstart.yaml core.predictor");
  explain->callback([arguments, &invocation] {
    invocation.code = config_explain(arguments->file, arguments->key, arguments->sets);
  });

  CLI::App* schema =
      config->add_subcommand("schema", "Print the JSON schema of run or sweep files");
  schema->add_option("KIND", arguments->schema, "Kind of file: run (default) or sweep")
      ->check(CLI::IsMember({"run", "sweep"}));
  schema->footer("Example: strobe config schema sweep > sweep.schema.json");
  schema->callback(
      [arguments, &invocation] { invocation.code = config_schema(arguments->schema == "sweep"); });
}

}  // namespace strobe
