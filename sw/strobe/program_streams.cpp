#include "sw/strobe/program_streams.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <fstream>
#include <stdexcept>

#include "sw/config/load.h"
#include "sw/strobe/record_command.h"
#include "sw/strobe/replay_command.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

struct Program {
  const char* name;
  const char* run_file;
  const char* workload;  // included in place of the run file's; null: its own
};

constexpr const char* kBase = "configs/runs/quickstart.yaml";

// The project's own workloads, then what scripts/fetch-workloads fetches.
constexpr Program kPrograms[] = {
    {"btree", kBase, "btree"},
    {"desim", kBase, "desim"},
    {"hashjoin", kBase, "hashjoin"},
    {"json", kBase, "json"},
    {"lisp", kBase, "lisp"},
    {"lz", kBase, "lz"},
    {"othello", kBase, "othello"},
    {"paths", kBase, "paths"},
    {"raytrace", kBase, "raytrace"},
    {"regex", kBase, "regex"},
    {"bzip2", "configs/runs/bzip2.yaml", nullptr},
    {"gnugo", "configs/runs/gnugo.yaml", nullptr},
    {"gzip", "configs/runs/gzip.yaml", nullptr},
    {"lua", "configs/runs/lua.yaml", nullptr},
};

/// SystemC elaborates once a process, so every recording has one of its own.
void record_in_child(const config::LoadResult& loaded, const fs::path& file) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork to record " + file.string());
  if (child == 0) {
    int code = 0;
    try {
      platform::RunHooks hooks;
      hooks.output = [](int, const char*, size_t) {};
      const platform::RunOutcome outcome = record_run(loaded, file, hooks);
      if (!outcome.error.empty()) throw std::runtime_error(outcome.error);
    } catch (const std::exception& error) {
      fmt::print(stderr, "strobe: error: {}: {}\n", file.string(), error.what());
      code = 1;
    }
    _exit(code);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) throw std::runtime_error("recording " + file.string() + " failed");
}

}  // namespace

ProgramStreams record_programs(const fs::path& folder, const std::string& selection,
                               const std::string& selectors, uint64_t instructions) {
  ProgramStreams result;
  for (const Program& program : kPrograms) {
    std::vector<std::string> sets = {
        "core.include=../cores/isca2001.yaml", "mode=timing",
        fmt::format("profilers=[{{name: recorded, kind: periodic, selectors: {}}}]", selectors)};
    if (program.workload != nullptr) {
      sets.push_back(fmt::format("workload={{include: ../workloads/{}.yaml}}", program.workload));
    }
    sets.push_back(fmt::format("workload.roi.skip={}", instructions / 10));
    sets.push_back(fmt::format("workload.roi.run={}", instructions));
    const config::LoadResult loaded = config::load_run_config(program.run_file, sets);
    if (!loaded.good()) throw std::runtime_error(config::to_text(loaded.diagnostics));
    const std::string& elf = loaded.configuration.workload.elf;
    if (!fs::exists(elf)) {
      result.skipped.push_back(
          fmt::format("{} (no {}: {})", program.name, loaded.configuration.workload.elf_name,
                      program.workload != nullptr ? "build the guest programs"
                                                  : "scripts/fetch-workloads gets it"));
      continue;
    }
    const fs::path file = folder / fmt::format("{}.{}.stream", program.name, selection);
    if (!fs::exists(file)) record_in_child(loaded, file);
    result.programs.push_back({program.name, file});
  }
  if (result.programs.empty())
    throw std::runtime_error("no program to run: build the guest programs");
  return result;
}

std::vector<platform::ProfilerOutcome> score_contenders(const fs::path& folder,
                                                        const ProgramStream& program,
                                                        const std::vector<Contender>& contenders,
                                                        uint64_t every) {
  const fs::path table = folder / "profilers.yaml";
  std::ofstream out(table);
  for (const Contender& contender : contenders) out << "- { " << contender.yaml << " }\n";
  out.close();
  const Replay replay =
      replay_stream(program.file, table, {fmt::format("progress.every={}", every)});
  if (!replay.loaded.good()) throw std::runtime_error(config::to_text(replay.loaded.diagnostics));
  if (!replay.damage.empty()) {
    throw std::runtime_error(replay.damage + "; remove it, and it is recorded again");
  }
  return replay.outcome.profilers;
}

}  // namespace strobe
