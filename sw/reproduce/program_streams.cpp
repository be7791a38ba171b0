#include "sw/reproduce/program_streams.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "sw/config/load.h"
#include "sw/files/guest_files.h"
#include "sw/files/sha256.h"
#include "sw/files/whole_file.h"
#include "sw/process/child_process.h"
#include "sw/record/record_run.h"
#include "sw/stream/stream_reader.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

void record(const config::LoadResult& loaded, const fs::path& file) {
  platform::RunHooks hooks;
  const platform::RunOutcome outcome = record_run(loaded, file, hooks, /*confined=*/true);
  if (outcome.error.empty()) return;
  fs::remove(file);  // the next reproduction would take it for the whole
  throw std::runtime_error(outcome.error);
}

/// Whether the file is a recording of this configuration by this simulator, and of the programs as
/// they are now.
bool is_recording_of(const config::LoadResult& loaded, const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return false;
  try {
    const nlohmann::json header = stream::StreamReader(in, file.string()).header();
    const auto has_read = [&header](const char* key, const std::string& input) {
      return input.empty() || header.at(key).at("sha256") == files::sha256_of_file(input);
    };
    const config::WorkloadConfig& workload = loaded.configuration.workload;
    return header.at("config") == loaded.portable && has_read("strobe", "/proc/self/exe") &&
           has_read("elf", workload.elf) &&
           has_read("firmware", files::guest_file("firmware.elf")) &&
           has_read("stdin", workload.stdin_file);
  } catch (const stream::StreamError&) {
    return false;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

}  // namespace

ProgramStream record_program(const fs::path& folder, const ReproductionProgram& program,
                             const std::string& selection, const std::string& selectors,
                             uint64_t instructions) {
  const fs::path file = folder / fmt::format("{}.{}.stream", program.name, selection);
  const config::LoadResult loaded = program.load(
      {"core.include=../cores/isca2001.yaml", "mode=timing",
       fmt::format("profilers=[{{name: recorded, kind: periodic, selectors: {}}}]", selectors),
       fmt::format("workload.roi.skip={}", instructions / 10),
       fmt::format("workload.roi.run={}", instructions)});
  if (!is_recording_of(loaded, file)) {
    if (fs::remove(file)) {
      fmt::print(stderr,
                 "{}: it was recorded by another build or with other inputs and is not used; it is "
                 "recorded again\n",
                 file.string());
    }
    in_child("recording " + file.string(), [&] { record(loaded, file); });
  }
  return {program.name, file};
}

config::LoadResult load_contenders(const ProgramStream& program,
                                   const std::vector<Contender>& contenders) {
  const fs::path table = program.file.string() + ".profilers.yaml";
  std::string lines;
  for (const Contender& contender : contenders)
    lines += fmt::format("- {{ {} }}\n", contender.yaml);
  files::write_whole(table, lines);
  std::ifstream in(program.file, std::ios::binary);
  const stream::StreamReader reader(in, program.file.string());
  config::LoadResult loaded =
      config::load_replay_config(reader.header().at("config"), table.string(), {});
  if (!loaded.good()) throw std::runtime_error(text::to_text(loaded.diagnostics));
  return loaded;
}

}  // namespace strobe
