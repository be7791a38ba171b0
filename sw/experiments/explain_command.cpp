#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sw/explore/launch/left_behind.h"
#include "sw/process/exit_code.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/commands/experiment_names.h"
#include "sw/strobe/faults.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

int fail(const std::string& message) {
  fmt::print(stderr, "strobe: error: {}\n", message);
  return kExitUsage;
}

/// @param run  DIR/runs/ID, DIR/ID, or a file of the run such as DIR/jobs/ID.json
int explain_command(const std::string& run) {
  constexpr size_t kShown = 10;
  const fs::path path = fs::path(run).lexically_normal();
  explore::Folder folder{path.parent_path()};
  if (folder.root.filename() == "runs" || folder.root.filename() == "jobs") {
    folder.root = folder.root.parent_path();
  }
  const std::string name = path.filename().string();
  const std::string beginning = name.substr(0, name.find('.'));
  std::vector<std::string> ids;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.jobs(), error)) {
    const std::string id = entry.path().stem().string();
    if (entry.path().extension() != ".json" || id.find('.') != std::string::npos) continue;
    if (id.rfind(beginning, 0) == 0) ids.push_back(id);
  }
  if (ids.empty()) {
    return fail(
        fmt::format("no run of a sweep at {}: expected DIR/runs/ID, where DIR is the directory "
                    "that strobe sweep wrote",
                    run));
  }
  if (ids.size() > 1) {
    return fail(fmt::format("{} runs have an ID that begins with {}: give more of it", ids.size(),
                            beginning));
  }
  return say_faults(kExitUsage, [&] {
    const auto record = explore::read_record<explore::RunRecord>(folder.job(ids[0], ".json"));
    std::string why;
    explore::RunEnd end;
    end.status = "not finished";
    if (const auto left = explore::left_end(folder, record, &why)) end = *left;
    if (end.reason.empty()) end.reason = why;
    fmt::print("run      {} ({})\nstatus   {}\n", record.id, record.kind, end.status);
    if (!end.reason.empty()) fmt::print("reason   {}\n", end.reason);
    if (end.seconds > 0)
      fmt::print("took     {:.1f} s, {} MB\n", end.seconds, end.peak_rss_bytes >> 20);
    fmt::print("log      {}\n", folder.job(ids[0], ".log").string());
    fmt::print("answers  {} points\n", record.points.size());
    for (size_t i = 0; i < std::min(kShown, record.points.size()); ++i) {
      const explore::PointRecord& point = record.points[i];
      fmt::print("         {}, seed {}: {}\n", point.workload, point.seed, point.label);
    }
    if (record.points.size() > kShown) fmt::print("         ...\n");
    fmt::print("command  {}\n", explore::shell_text(record.command));
    return kExitOk;
  });
}

}  // namespace

void add_explain_command(CLI::App& app, Invocation& invocation) {
  const auto run = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(kExplain.name, kExplain.description);
  command
      ->add_option(
          "RUN", *run,
          "DIR/runs/ID of the run, or a file DIR/jobs/ID.json; the beginning of ID is enough "
          "when only one run has it")
      ->required();
  command->footer("Example: strobe explain \"$(ls results/small/jobs/*.json | head -n 1)\"");
  command->callback([run, &invocation] { invocation.code = explain_command(*run); });
}

}  // namespace strobe
