#include "sw/record/record_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/isa/linux/process.h"
#include "sc_models/machine/profiler/selection.h"
#include "sc_models/run/run.h"
#include "sw/measure/confinement.h"
#include "sw/measure/named_files.h"
#include "sw/measure/run_manifest.h"
#include "sw/measure/standard_input.h"
#include "sw/record/recorded_run.h"
#include "sw/result/manifest.h"
#include "sw/result/out_of_reach.h"
#include "sw/stream/stream_format.h"
#include "sw/stream/stream_writer.h"

namespace strobe {
namespace {

class WriterSink final : public platform::TupleSink {
 public:
  void open(const std::filesystem::path& file, const nlohmann::json& header) {
    writer_.emplace(file, header);
  }
  void take(const Tuple* tuples, size_t count, uint64_t cycles) override {
    writer_->add(tuples, count, cycles);
  }
  stream::StreamWriter& writer() { return *writer_; }

 private:
  std::optional<stream::StreamWriter> writer_;
};
static_assert(platform::TupleSink::kTupleBatch == stream::kMarkEvents);

/// What a recording opens once the program executes: the stream is open, but gets its name at the
/// end, and is compressed in a thread of its own.
confine::Grants recording_grants(const config::RunConfig& configuration,
                                 const std::filesystem::path& out) {
  confine::Grants grants = sandbox_grants(configuration);
  const std::string folder = out.parent_path().string();
  grants.paths.push_back({folder.empty() ? "." : folder, confine::Access::kPlaceFile});
  grants.threads = true;
  return grants;
}

/// A stream holds one selection of a whole run.
void check_recordable(const config::RunConfig& configuration) {
  if (configuration.mode == config::Mode::kSampled) {
    throw std::runtime_error(
        "mode sampled has no cycles to record: expected mode functional or timing; --set mode=...");
  }
  const auto& profilers = configuration.profilers;
  if (profilers.empty()) {
    throw std::runtime_error(
        "nothing to record: expected at least one profiler, whose selectors say which "
        "instructions, "
        "got none");
  }
  const auto in_burst = [](const config::SelectorConfig& selector) { return selector.in_burst; };
  const auto& selectors = profilers.front().selectors;
  if (std::any_of(selectors.begin(), selectors.end(), in_burst)) {
    throw std::runtime_error(
        "a recording runs without the decode engine, so it has no bursts that in_burst could "
        "select: expected in_burst: false, got true; record all events, or use strobe run with "
        "these profilers");
  }
  for (const config::ProfilerConfig& profiler : profilers) {
    if (platform::same_selection(profilers.front().selectors, profiler.selectors)) continue;
    throw std::runtime_error(
        fmt::format("a stream holds one selection: expected the same selectors for every profiler, "
                    "got others for '{}' than for '{}'; record one stream for each",
                    profiler.name, profilers.front().name));
  }
}

}  // namespace

platform::RunOutcome record_run(const config::LoadResult& loaded, const std::filesystem::path& out,
                                platform::RunHooks hooks, bool confined) {
  const config::RunConfig& configuration = loaded.configuration;
  check_recordable(configuration);
  result::check_out_of_reach(named_files_of(loaded), "the stream", out);
  WriterSink sink;
  StandardInput standard_input;
  hooks.program = isa::open_program(configuration.workload.elf);
  warn_of_program(*hooks.program);
  hooks.loaded = [&](const platform::RunInputs& inputs) {
    const result::ManifestInput input = manifest_input(configuration, inputs);
    standard_input.watch(configuration.workload, inputs.standard_input,
                         input.standard_input.sha256);
    nlohmann::json header = result::make_manifest(input);
    header.erase("command");  // the one thing that names the stream itself
    header["config"] = loaded.portable;
    sink.open(out, header);
  };
  hooks.recorder = &sink;
  hooks.elaborated = [&] { confine_or_warn(recording_grants(configuration, out), confined); };
  const platform::RunOutcome outcome = platform::run(configuration, /*profiled=*/false, hooks);
  standard_input.expect_unchanged();
  stream::StreamWriter& writer = sink.writer();
  writer.flush();
  nlohmann::json footer = {{"events", writer.events()},
                           {"blocks", writer.blocks()},
                           {"outcome", outcome_to_json(outcome)},
                           {"symbols", nlohmann::json::object()}};
  for (const uint64_t pc : writer.pcs()) {
    const std::string name = hooks.program->describe(pc);
    if (!name.empty()) footer["symbols"][fmt::format("{:x}", pc)] = name;
  }
  writer.finish(footer);
  return outcome;
}

}  // namespace strobe
