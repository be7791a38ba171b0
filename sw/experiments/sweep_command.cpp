#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "sw/experiments/sweep_environment.h"
#include "sw/experiments/sweep_estimate.h"
#include "sw/explore/search/search.h"
#include "sw/files/temporary.h"
#include "sw/measure/named_files.h"
#include "sw/object/file/object_file.h"
#include "sw/process/exit_code.h"
#include "sw/process/interruption.h"
#include "sw/report/answer.h"
#include "sw/report/number.h"
#include "sw/result/out_of_reach.h"
#include "sw/result/result_directory.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/commands/experiment_names.h"

namespace strobe {
namespace {

struct SweepOptions {
  std::string file, out;
  std::string launcher = "local";
  unsigned jobs = 0;  // 0: one a processor
  bool dry_run = false, yes = false, retry_failed = false, force = false;
};

namespace fs = std::filesystem;
using explore::Folder;
using explore::Space;

constexpr size_t kCheckedFirst = 20'000;  // designs; the others when their run is prepared

std::atomic<int> stop_requests{0};

/// One sweep at a time in a folder.
class FolderLock {
 public:
  explicit FolderLock(const Folder& folder) {
    std::error_code error;
    fs::create_directories(folder.root, error);
    const fs::path file = folder.root / ".lock";
    descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      throw explore::FolderError(fmt::format("cannot write in {}: {}; give another --out",
                                             folder.root.string(), std::strerror(errno)));
    }
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      throw explore::FolderError(
          fmt::format("another sweep is running in {}: wait for it or give another --out",
                      folder.root.string()));
    }
  }
  ~FolderLock() { close(descriptor_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

std::string count(uint64_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

/// Distinct blocks that objectives and constraints have synthesized. When there are very many
/// designs, the first are looked at.
size_t syntheses_of(const Space& space, const explore::Plan& plan) {
  if (explore::synthesized_profilers(space).empty()) return 0;
  std::vector<uint64_t> designs = plan.designs;
  if (designs.size() > kCheckedFirst) designs.resize(kCheckedFirst);
  return explore::synthesized_blocks(space, designs, sweep_environment(space).block).size();
}

void print_plan(const Space& space, const explore::Plan& plan) {
  constexpr size_t kShown = 20;
  for (size_t i = 0; i < std::min(kShown, plan.runs.size()); ++i) {
    const explore::PlannedRun& run = plan.runs[i];
    fmt::print("  {:<7} {}, seed {}, {}: {}{}\n", run.replay ? "replay" : "run",
               space.file().workloads[run.workload].name, space.seed(run.seed),
               count(run.count, "point"), space.label(plan.designs[run.first]),
               run.count > 1 ? " ..." : "");
  }
  if (plan.runs.size() > kShown) fmt::print("  ... and {} more\n", plan.runs.size() - kShown);
}

bool is_iterative(const Space& space) {
  return space.file().search.kind >= explore::SearchKind::kSuccessiveHalving;
}

/// Whether so many runs may be started.
bool allowed(const SweepOptions& options, uint64_t runs, uint64_t limit) {
  if (options.yes || runs <= limit) return true;
  if (isatty(STDIN_FILENO) != 1) {
    fmt::print(stderr,
               "strobe: error: the plan has {}, more than limits.runs, which is {}; give --yes to "
               "start them\n",
               count(runs, "run"), limit);
    return false;
  }
  fmt::print(stderr, "The plan has {}, more than limits.runs, which is {}. Start them? [y/N] ",
             count(runs, "run"), limit);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "yes";
}

void warn(const std::string& text) { fmt::print(stderr, "strobe: warning: {}\n", text); }

unsigned jobs_of(const SweepOptions& options) {
  return options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
}

std::unique_ptr<explore::Launcher> make_launcher(const SweepOptions& options, const Space& space,
                                                 const Folder& folder) {
  const explore::SweepFile& file = space.file();
  const explore::RunLimits limits{file.limits.memory, file.limits.seconds};
  if (options.launcher == "slurm") {
    return explore::slurm_launcher(folder, limits, file.launcher.sbatch, warn);
  }
  const bool command = options.launcher == "command";
  return explore::local_launcher(jobs_of(options), limits, command ? file.launcher.command : "");
}

/// A line for each run that failed, and for others at intervals.
class Reporter {
 public:
  void tell(size_t done, size_t all, const explore::RunRecord& record, const explore::RunEnd& end) {
    if (end.status != "done") {
      fmt::print(stderr, "strobe: run {} {}: {}\n", record.id, end.status, end.reason);
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::seconds(isatty(STDERR_FILENO) == 1 ? 1 : 30)) return;
    last_ = now;
    const std::chrono::duration<double> elapsed = now - begin_;
    const double left = elapsed.count() / static_cast<double>(done) *
                        static_cast<double>(all > done ? all - done : 0);
    fmt::print(stderr, "strobe: {} of {} done, {:.0f} s, about {:.0f} s to go\n", done,
               count(all, "run"), elapsed.count(), left);
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), last_ = begin_;
};

/// The answer, the front, and what went wrong. @return the exit code
int summarize(const Space& space, const Folder& folder, explore::Store& store,
              const explore::Tally& tally) {
  constexpr size_t kShown = 20;
  if (const auto answer = report::answer_of(store.database())) {
    fmt::print("question  {}\nanswer    {}\n\n", answer->ask, answer->sentence);
  }
  fmt::print("{}: {} in {}, {} reused, {} failed\n", folder.root.string(),
             count(tally.points, "point"), count(tally.runs, "run"), tally.reused,
             store.database().integer("SELECT count(*) FROM point WHERE status <> 'done'"));
  std::string columns = "label";
  for (const explore::Objective& objective : space.file().objectives) {
    columns += ", " + explore::quoted_name(objective.key);
  }
  explore::Statement front(store.database(), "SELECT " + columns + " FROM front ORDER BY design");
  size_t shown = 0;
  while (front.step()) {
    if (++shown > kShown) continue;
    fmt::print("  {}", front.text(0));
    for (int i = 1; i < front.columns(); ++i) {
      fmt::print("  {} {}", front.name(i),
                 front.null(i) ? "-" : report::exact_or_rounded(front.real(i)));
    }
    fmt::print("\n");
  }
  if (shown > kShown) fmt::print("  ... and {} more on the front\n", shown - kShown);
  const int64_t failures = store.database().integer("SELECT count(*) FROM failure");
  if (failures > 0) {
    fmt::print(
        stderr,
        "strobe: {} failed; 'SELECT * FROM failure' in {} says why, --retry-failed repeats them\n",
        count(static_cast<uint64_t>(failures), "run"), folder.database().string());
  }
  const bool unsatisfied =
      !space.file().constraints.empty() &&
      store.database().integer("SELECT count(*) FROM design WHERE feasible = 1") == 0;
  if (unsatisfied) {
    fmt::print(stderr, "strobe: error: no design satisfies the constraints\n");
  }
  return failures > 0 || unsatisfied ? kExitCheckFailed : kExitOk;
}

/// An objective that is known to exist only after a run: no point has it.
void check_objectives(const Space& space, explore::Store& store) {
  if (store.database().integer("SELECT count(*) FROM point WHERE status = 'done'") == 0) return;
  const std::vector<std::string> keys = store.metric_keys();
  for (const explore::Objective& objective : space.file().objectives) {
    if (std::find(keys.begin(), keys.end(), objective.key) != keys.end()) continue;
    fmt::print(
        stderr, "{}\n",
        objective.mark
            .error("objectives", fmt::format("no run produced {}{}", text::in_quotes(objective.key),
                                             text::did_you_mean(objective.key, keys)))
            .text());
  }
}

/// No run may write where the sweep keeps its own and its siblings' results.
void check_programs(const Space& space, const Folder& folder) {
  for (size_t workload = 0; workload < space.workloads(); ++workload) {
    const config::LoadResult loaded =
        config::load_run_tree(space.base(workload), space.directory());
    result::NamedFiles files = named_files_of(loaded);
    files.run_files.emplace_back(space.file().path);
    files.run_files.emplace_back(space.file().base);
    result::check_out_of_reach(files, "the sweep's directory", folder.root);
  }
}

int run_sweep(const SweepOptions& options, const Space& space, const std::vector<uint64_t>& first) {
  const std::string name = fs::path(space.file().path).stem().string();
  const Folder folder{
      fs::absolute(options.out.empty() ? fs::path("results") / name : fs::path(options.out))
          .lexically_normal()};
  check_programs(space, folder);
  const FolderLock lock(folder);
  for (const char* part : {"", "jobs", "runs", "streams", "slurm"}) {
    files::sweep_leftovers(folder.root / part);
  }
  explore::write_whole(folder.root / "sweep.yaml", space.file().text);
  explore::Store store(folder, sweep_header(space));
  const auto launcher = make_launcher(options, space, folder);
  Reporter reporter;
  explore::ExecutorOptions how;
  how.retry_failed = options.retry_failed;
  how.force = options.force;
  how.progress = [&reporter](size_t done, size_t all, const explore::RunRecord& record,
                             const explore::RunEnd& end) { reporter.tell(done, all, record, end); };
  how.warn = warn;
  if (!store.put_aside().empty()) how.warn(store.put_aside());
  stop_requests = 0;
  handle_ending_signals([](int) { ++stop_requests; });
  explore::Executor executor(space, folder, store, *launcher, sweep_environment(space), how,
                             stop_requests);
  bool stopped = false;
  try {
    explore::search(space, first,
                    [&](const std::vector<uint64_t>& designs, std::optional<uint64_t> budget) {
                      executor.evaluate(designs, budget, is_iterative(space));
                      return store.scores(budget);
                    });
  } catch (const explore::Stopped&) {
    stopped = true;
  }
  if (!stopped) store.end();
  store.rate();
  store.write_exports();
  check_objectives(space, store);
  const int code = summarize(space, folder, store, executor.tally());
  if (!stopped) return code;
  fmt::print(stderr, "strobe: interrupted; the same command continues the sweep\n");
  return kExitInterrupted;
}

int plan_and_run(const SweepOptions& options) {
  text::Diagnostics faults;
  explore::SweepFile file = explore::read_sweep_file(options.file, &faults);
  std::optional<Space> space;
  if (faults.empty()) space = Space::make(std::move(file), &faults);
  if (space) check_result_keys(*space, &faults);
  if (space && options.launcher == "command" && space->file().launcher.command.empty()) {
    fmt::print(stderr,
               "strobe: error: {}: --launcher command needs the key launcher.command, such "
               "as 'bsub -K {{command}}'\n",
               options.file);
    return kExitUsage;
  }
  std::vector<uint64_t> first;
  if (faults.empty()) {
    first = explore::first_designs(*space);
    faults = space->check_designs(first, kCheckedFirst);
  }
  if (!faults.empty()) {
    fmt::print(stderr, "{}", text::to_text(faults));
    return kExitUsage;
  }
  const explore::Plan plan = explore::make_plan(*space, first, is_iterative(*space));
  const explore::Environment environment = sweep_environment(*space);
  explore::RunKeys keys(*space, environment);
  const explore::Distinct distinct = explore::distinct_runs(*space, plan, keys);
  const uint64_t runs = distinct.runs + distinct.recordings;
  std::string parts;
  if (distinct.recordings > 0) {
    parts = fmt::format(": {} and {}", count(distinct.recordings, "recording"),
                        count(distinct.runs, "replay"));
  }
  if (distinct.baselines > 0) parts += ", " + count(distinct.baselines, "baseline");
  const size_t syntheses = syntheses_of(*space, plan);
  if (syntheses > 0)
    parts += fmt::format(", {} {}", syntheses, syntheses == 1 ? "synthesis" : "syntheses");
  fmt::print("{}, {}{}{}\n", count(plan.points(), "point"), distinct.counted ? "" : "at most ",
             count(runs, "run"), parts);
  const unsigned jobs = jobs_of(options);
  fmt::print("{}{} with {} at a time, if nothing is reused\n",
             estimated_time(*space, plan, distinct, syntheses, jobs),
             is_iterative(*space) ? " for the first of several rounds" : "", jobs);
  std::fflush(stdout);
  if (options.dry_run) {
    print_plan(*space, plan);
    return kExitOk;
  }
  if (!allowed(options, runs + syntheses, space->file().limits.runs)) return kExitUsage;
  return run_sweep(options, *space, first);
}

/// @return the exit code: 1 when a run failed or no design satisfies the constraints
int sweep_command(const SweepOptions& options) {
  try {
    return plan_and_run(options);
  } catch (const explore::EmptySpace& error) {
    fmt::print(stderr, "strobe: error: {}: {}\n", options.file, error.what());
  } catch (const explore::FolderError& error) {
    fmt::print(stderr, "strobe: error: {}\n", error.what());
  } catch (const explore::DatabaseError& error) {
    fmt::print(stderr, "strobe: error: {}\n", error.what());
  } catch (const result::ResultError& error) {
    fmt::print(stderr, "strobe: error: {}\n", error.what());
  } catch (const object::ObjectError& error) {
    fmt::print(stderr, "strobe: error: {}\n", error.what());
  }
  return kExitUsage;
}

}  // namespace

void add_sweep_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<SweepOptions>();
  CLI::App* command = app.add_subcommand(kSweep.name, kSweep.description);
  command->add_option("FILE", options->file, "Sweep file (YAML)")->required();
  command->add_option("--out", options->out, "Directory for the results (default results/NAME)");
  command->add_option("--jobs", options->jobs, "Runs at a time (default: one for each processor)")
      ->check(CLI::Range(1u, 100'000u));
  command
      ->add_option("--launcher", options->launcher,
                   "How runs are started: local (default), slurm or command")
      ->check(CLI::IsMember({"local", "slurm", "command"}));
  command->add_flag("--dry-run", options->dry_run, "Print the plan and start nothing");
  command->add_flag("--yes", options->yes, "Do not ask before starting more runs than limits.runs");
  command->add_flag("--retry-failed", options->retry_failed,
                    "Also repeat the runs that failed before");
  command->add_flag("--force", options->force, "Also repeat the runs that are done");
  command->footer("Example: strobe sweep configs/sweeps/small.yaml");
  command->callback([options, &invocation] { invocation.code = sweep_command(*options); });
}

}  // namespace strobe
