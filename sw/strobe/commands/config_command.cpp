#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "sw/config/load.h"
#include "sw/process/exit_code.h"
#include "sw/strobe/arguments.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/commands/config_kinds.h"
#include "sw/text/diagnostic.h"

namespace strobe {
namespace {

/// Prints "FILE: ok" or everything that is wrong with the file.
/// @param name  of its kind; empty: what it looks like
int config_check(const std::string& file, const std::string& name,
                 const std::vector<std::string>& sets) {
  const FileKind& kind = name.empty() ? kind_of(file) : kind_named(name);
  if (!sets.empty() && !kind.of_run) {
    fmt::print(
        stderr,
        "strobe: error: --set changes keys of a run file or of a part of one, and {} is a {} "
        "file; leave --set out, or give another --kind\n",
        file, kind.name);
    return kExitUsage;
  }
  const text::Diagnostics faults = kind.check(file, sets);
  if (faults.empty()) {
    fmt::print("{}: ok\n", file);
    return kExitOk;
  }
  fmt::print(stderr, "{}", text::to_text(faults));
  if (name.empty() && kind.name != file_kinds().front().name) {
    fmt::print(stderr, "{} was checked as a {} file; --kind says what else it is\n", file,
               kind.name);
  }
  return kExitUsage;
}

/// Prints each value at or below `key` (empty: all), its origin and its meaning.
int config_explain(const std::string& file, const std::string& key,
                   const std::vector<std::string>& sets) {
  const config::LoadResult loaded = config::load_run_config(file, sets);
  if (!loaded.good()) {
    fmt::print(stderr, "{}", text::to_text(loaded.diagnostics));
    return kExitUsage;
  }
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

}  // namespace

void add_config_command(CLI::App& app, Invocation& invocation) {
  struct Arguments {
    std::string file, key, kind, schema = file_kinds().front().name;
    std::vector<std::string> sets;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* config = app.add_subcommand("config", "Check and explain configuration files");
  config->require_subcommand(1);
  config->footer("Example: strobe config check configs/runs/quickstart.yaml");

  CLI::App* check = config->add_subcommand(
      "check", "Report everything that is wrong with a run file, a part of one, or a sweep file");
  check->add_option("FILE", arguments->file, "File (YAML)")->required();
  check
      ->add_option("--kind", arguments->kind,
                   "Kind of file (default: the one that has the keys of the file)")
      ->check(CLI::IsMember(kind_names()));
  add_sets(*check, arguments->sets);
  check->footer("Example: strobe config check configs/runs/quickstart.yaml --set core.rob=256");
  check->callback([arguments, &invocation] {
    invocation.code = config_check(arguments->file, arguments->kind, arguments->sets);
  });

  CLI::App* explain = config->add_subcommand(
      "explain", "Show every value of a run file, where it comes from and what it means");
  add_run_file(*explain, arguments->file, arguments->sets);
  explain->add_option("KEY", arguments->key, "Show only this key and the keys below it");
  explain->footer("Example: strobe config explain configs/runs/quickstart.yaml core.predictor");
  explain->callback([arguments, &invocation] {
    invocation.code = config_explain(arguments->file, arguments->key, arguments->sets);
  });

  CLI::App* schema = config->add_subcommand("schema", "Print the JSON schema of a kind of file");
  schema->add_option("KIND", arguments->schema, "Kind of file (default: run)")
      ->check(CLI::IsMember(kind_names()));
  schema->footer("Example: strobe config schema core > core.schema.json");
  schema->callback([arguments, &invocation] {
    fmt::print("{}", kind_named(arguments->schema).schema());
    invocation.code = kExitOk;
  });
}

}  // namespace strobe
