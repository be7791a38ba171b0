#include "sw/experiments/sweep_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <optional>

#include "sw/explore/launch/launcher.h"
#include "sw/files/scratch_folder.h"
#include "sw/process/program_beside.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

/// A program that goes on after them is taken to be this long.
constexpr uint64_t kMostCounted = 500'000'000;  // instructions

config::Change change_to(const std::string& key, const std::string& value) {
  config::Change change;
  change.path = {key};
  change.value.kind = value.empty() ? yaml::Node::Kind::kSequence : yaml::Node::Kind::kScalar;
  change.value.scalar = value;
  return change;
}

std::optional<uint64_t> instructions_of(const explore::Space& space, size_t workload) {
  const files::ScratchFolder scratch;
  yaml::Node root = space.base(workload);
  text::Diagnostics faults;
  for (const auto& [key, value] :
       std::map<std::string, std::string>{{"mode", "functional"},
                                          {"profilers", ""},
                                          {"interval", "0"},
                                          {"max_instructions", std::to_string(kMostCounted)}}) {
    config::apply(change_to(key, value), &root, &faults);
  }
  const config::LoadResult loaded = config::load_run_tree(root, scratch.path().string());
  if (!loaded.good()) return std::nullopt;
  explore::write_whole(scratch.path() / "run.yaml", loaded.effective);
  const std::string strobe = program_beside("strobe").string();
  const fs::path out = scratch.path() / "out";
  const explore::Launch launch = {"probe",
                                  {strobe, "run", (scratch.path() / "run.yaml").string(), "--out",
                                   out.string(), "--quiet", "--no-profiles"},
                                  scratch.path() / "log",
                                  {}};
  const std::atomic<int> stop{0};
  explore::local_launcher(1, {})->run(
      {launch}, [](const auto&, const auto&) {}, stop);
  if (!fs::exists(out / "result.json")) return std::nullopt;
  return explore::read_json(out / "result.json").at("instructions").get<uint64_t>();
}

/// The time of a run without profilers, from the geometric means of docs/performance.md, on the
/// machine measured there.
double plain_seconds_of(const config::RunConfig& run, uint64_t instructions) {
  const double mips = run.mode == config::Mode::kTiming    ? 8
                      : run.mode == config::Mode::kSampled ? 140
                                                           : 600;
  return static_cast<double>(instructions) / mips / 1e6;
}

double seconds_of(const config::RunConfig& run, uint64_t instructions, size_t observers) {
  constexpr double kEventShare = 0.2;     // instructions that a selector picks
  constexpr double kEventSeconds = 7e-9;  // that an observer takes
  double seconds = plain_seconds_of(run, instructions);
  for (const config::ProfilerConfig& profiler : run.profilers) {
    const bool rtl = profiler.fidelity != profiling::Fidelity::kModel;
    if (profiler.active && rtl) seconds *= 1.6;
  }
  return seconds + static_cast<double>(instructions) * kEventShare * kEventSeconds *
                       static_cast<double>(observers);
}

}  // namespace

std::string estimated_time(const explore::Space& space, const explore::Plan& plan,
                           const explore::Distinct& distinct, size_t syntheses, unsigned jobs) {
  constexpr double kStart = 0.1;  // to start a process
  constexpr double kSynthesis = 150;
  const config::RunConfig& run = space.loaded().configuration;
  std::vector<uint64_t> counts;
  for (size_t workload = 0; workload < space.workloads(); ++workload) {
    const auto count = instructions_of(space, workload);
    if (!count) return "time unknown";
    counts.push_back(*count);
  }
  double seconds = 0;
  for (const explore::PlannedRun& planned : plan.runs) {
    const size_t observers = planned.count * run.profilers.size();
    const double full = seconds_of(run, counts[planned.workload], observers);
    const double watching = full - seconds_of(run, counts[planned.workload], 0);
    seconds += kStart + (planned.replay ? watching : full);
  }
  if (plan.recordings > 0) {
    for (const uint64_t count : counts) {
      seconds += seconds_of(run, count, 0) * static_cast<double>(plan.recordings) /
                 static_cast<double>(counts.size());
    }
  }
  const auto at_a_time = [jobs](size_t count) {
    return static_cast<double>(std::clamp<size_t>(count, 1, jobs));
  };
  // Equal runs are made once.
  const auto planned = static_cast<double>(plan.runs.size());
  seconds *= static_cast<double>(distinct.runs) / planned;
  for (const uint64_t count : counts) {
    seconds += plain_seconds_of(run, count) * static_cast<double>(distinct.baselines) /
               static_cast<double>(counts.size());
  }
  seconds /= at_a_time(distinct.runs);
  seconds += kSynthesis * static_cast<double>(syntheses) / at_a_time(syntheses);
  if (seconds < 100) return fmt::format("about {:.0f} s", std::max(1.0, seconds));
  if (seconds < 6000) return fmt::format("about {:.0f} min", seconds / 60);
  return fmt::format("about {:.1f} h", seconds / 3600);
}

}  // namespace strobe
