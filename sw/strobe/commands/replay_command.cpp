#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sw/measure/confinement.h"
#include "sw/measure/run_manifest.h"
#include "sw/process/exit_code.h"
#include "sw/process/version.h"
#include "sw/record/replay_stream.h"
#include "sw/result/make_result.h"
#include "sw/result/manifest.h"
#include "sw/result/progress_series.h"
#include "sw/result/result_directory.h"
#include "sw/result/result_table.h"
#include "sw/stream/stream_format.h"
#include "sw/strobe/arguments.h"
#include "sw/strobe/commands/commands.h"
#include "sw/text/diagnostic.h"

namespace strobe {
namespace {

struct ReplayOptions {
  std::string stream, profilers, out;
  std::vector<std::string> sets;
  bool force = false;
  bool no_profiles = false;  // leave profile.NAME.csv out
  bool confined = true;      // gives up what the replay does not need (sw/confine)
  std::vector<std::string> command_line;
};

nlohmann::json manifest_of(const Replay& replay, const ReplayOptions& options,
                           const result::InputFile& strobe) {
  nlohmann::json manifest = replay.header;
  manifest.erase("config");
  manifest["version"] = project_version();
  manifest["git_id"] = git_id().empty() ? nlohmann::json() : nlohmann::json(git_id());
  manifest["tools"] = tool_versions();
  manifest["strobe"] = result::identity(strobe);
  manifest["seed"] = replay.loaded.configuration.seed;
  manifest["command"] = options.command_line;
  manifest["stream"] = {{"name", std::filesystem::path(options.stream).filename().string()},
                        {"sha256", replay.sha256}};
  return manifest;
}

int replay_and_write(const ReplayOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  result::ResultDirectory directory(options.out, options.force);
  const result::InputFile strobe = this_executable();  // which a confined process cannot read
  confine::Confinement confinement;
  const auto opened = [&] {
    confine::Grants grants;
    grant_result(directory, grants);
    confinement = confine_or_warn(grants, options.confined);
  };
  const Replay replay = replay_stream(options.stream, options.profilers, options.sets, opened);
  if (!replay.loaded.good()) {
    fmt::print(stderr, "{}", text::to_text(replay.loaded.diagnostics));
    return kExitUsage;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  const config::RunConfig& configuration = replay.loaded.configuration;
  result::RunFiles files;
  files.config = replay.loaded.portable;
  files.manifest = manifest_of(replay, options, strobe);
  files.result = result::make_result(configuration, replay.outcome, std::nullopt);
  files.host = result::make_host(seconds.count(), replay.outcome.instructions);
  files.host["confinement"] = confinement_json(confinement);
  if (!options.no_profiles) {
    files.profiles =
        result::named_profiles(replay.outcome.profilers, configuration.exhaustive_profiles);
  }
  files.symbol_of = [&replay](uint64_t pc) {
    const auto name = replay.symbols.find(pc);
    return name == replay.symbols.end() ? std::string() : name->second;
  };
  files.progress = result::progress_text(configuration, replay.outcome);
  directory.write(files);
  fmt::print("{}", result::result_table(files.result));
  if (replay.damage.empty()) return kExitOk;
  fmt::print(stderr, "strobe: error: {}; the {} events before it were used\n", replay.damage,
             replay.events);
  return kExitCheckFailed;
}

/// @return the exit code: 1 when the stream is damaged and a part of it was used
int replay_command(const ReplayOptions& options) {
  try {
    return replay_and_write(options);
  } catch (const stream::StreamError& error) {
    fmt::print(stderr, "strobe: error: {}\n", error.what());
    return kExitUsage;
  } catch (const result::ResultError& error) {
    fmt::print(stderr, "strobe: error: {}\n", error.what());
    return kExitUsage;
  }
}

}  // namespace

void add_replay_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<ReplayOptions>();
  options->command_line = invocation.words;
  CLI::App* command = app.add_subcommand(
      "replay", "Score profilers on a recorded stream and write a result directory");
  command->add_option("STREAM", options->stream, "Stream file that 'strobe record' wrote")
      ->required();
  command
      ->add_option("--profilers", options->profilers,
                   "YAML file with a list of profilers, as under 'profilers' in a run file")
      ->required();
  command->add_option("--out", options->out, "Result directory to write")->required();
  command->add_flag("--force", options->force, "Replace the result directory when it exists");
  command->add_flag("--no-profiles", options->no_profiles,
                    "Do not write the profile.NAME.csv files");
  add_confinement(*command, options->confined);
  add_sets(*command, options->sets);
  command->footer(
      "Example: strobe replay othello.stream --profilers configs/replays/samplers.yaml --out "
      "results/replay");
  command->callback([options, &invocation] { invocation.code = replay_command(*options); });
}

}  // namespace strobe
