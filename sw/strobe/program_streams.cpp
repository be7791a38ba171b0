#include "sw/strobe/program_streams.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "sw/config/load.h"
#include "sw/strobe/child_process.h"
#include "sw/strobe/record_command.h"
#include "sw/strobe/replay_command.h"
#include "sw/strobe/reproduction_programs.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

void record(const config::LoadResult& loaded, const fs::path& file) {
  platform::RunHooks hooks;
  const platform::RunOutcome outcome = record_run(loaded, file, hooks, /*confined=*/true);
  if (!outcome.error.empty()) throw std::runtime_error(outcome.error);
}

}  // namespace

ProgramStreams record_programs(const fs::path& folder, const std::string& selection,
                               const std::string& selectors, uint64_t instructions) {
  const ReproductionPrograms programs = reproduction_programs();
  ProgramStreams result{{}, programs.skipped};
  for (const ReproductionProgram& program : programs.there) {
    const fs::path file = folder / fmt::format("{}.{}.stream", program.name, selection);
    if (!fs::exists(file)) {
      const config::LoadResult loaded = program.load(
          {"core.include=../cores/isca2001.yaml", "mode=timing",
           fmt::format("profilers=[{{name: recorded, kind: periodic, selectors: {}}}]", selectors),
           fmt::format("workload.roi.skip={}", instructions / 10),
           fmt::format("workload.roi.run={}", instructions)});
      in_child("recording " + file.string(), [&] { record(loaded, file); });
    }
    result.programs.push_back({program.name, file});
  }
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
      replay_stream(program.file, table, {fmt::format("progress.every={}", every)}, {});
  if (!replay.loaded.good()) throw std::runtime_error(config::to_text(replay.loaded.diagnostics));
  if (!replay.damage.empty()) {
    throw std::runtime_error(replay.damage + "; remove it, and it is recorded again");
  }
  return replay.outcome.profilers;
}

}  // namespace strobe
