#include "sw/explore/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <utility>

#include "sw/config/effective.h"
#include "sw/text/json_text.h"

namespace strobe::explore {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr size_t kSlice = 4096;  // runs prepared at a time: the rest is only in the plan

json setting_of(const std::optional<AxisValue>& value) {
  if (!value) return nullptr;
  if (value->kind == Value::Kind::kNumber) {
    const auto integer = static_cast<int64_t>(value->number);
    if (static_cast<double>(integer) == value->number) return integer;
    return value->number;
  }
  return value->shown;
}

}  // namespace

Executor::Executor(const Space& space, Folder folder, Store& store, Launcher& launcher,
                   Environment environment, ExecutorOptions options, const std::atomic<int>& stop)
    : space_(space),
      folder_(std::move(folder)),
      store_(store),
      launcher_(launcher),
      environment_(std::move(environment)),
      options_(std::move(options)),
      stop_(stop) {
  read_archive();
}

/// Runs that the database does not know: it was made anew, or this process was killed before it
/// stored them.
void Executor::read_archive() {
  std::error_code error;
  fs::create_directories(folder_.jobs(), error);
  if (error)
    throw FolderError(fmt::format("cannot make {}: {}", folder_.jobs().string(), error.message()));
  std::set<std::string> known;
  Statement runs(store_.database(), "SELECT id FROM run");
  while (runs.step()) known.insert(runs.text(0));
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_.jobs())) {
    const std::string name = entry.path().filename().string();
    const std::string id = entry.path().stem().string();
    if (entry.path().extension() != ".json" || id.find('.') != std::string::npos) continue;
    if (known.count(id) != 0) continue;
    const bool ended =
        fs::exists(folder_.job(id, ".end.json")) || fs::exists(folder_.run(id) / "result.json");
    if (!ended) continue;
    for (const PointRecord& point : read_json(entry.path()).get<RunRecord>().points) {
      archive_[point.key] = id;
    }
  }
}

const std::string& Executor::workload_identity(size_t workload) {
  std::string& identity = workload_identities_[workload];
  if (identity.empty()) {
    identity = configuration_identity(
        config::load_run_tree(space_.base(workload), space_.directory()), true);
  }
  return identity;
}

/// Of the program its content counts, not its path.
std::string Executor::configuration_identity(const config::LoadResult& loaded,
                                             bool with_profilers) {
  std::string text = environment_.identity;
  for (const config::EffectiveValue& value : loaded.values) {
    if (value.path == "workload.elf") continue;
    if (!with_profilers && value.path.rfind("profilers.", 0) == 0 &&
        value.path.rfind("profilers.0.selectors.", 0) != 0) {
      continue;
    }
    text += "\n" + value.path + "=" + value.value;
  }
  const std::string& elf = loaded.configuration.workload.elf;
  std::string& hash = elfs_[elf];
  if (hash.empty()) hash = hash_file(elf);
  return hash_text(text + "\nelf=" + hash);
}

std::string Executor::key_of(const Point& point) {
  return hash_text(fmt::format("{}\n{}\n{}\n{}", workload_identity(point.workload),
                               space_.seed(point.seed), point.budget,
                               space_.identity(point.design)));
}

bool Executor::is_settled(const std::string& key) const {
  const auto found = store_.points().find(key);
  if (found == store_.points().end()) return false;
  if (fresh_.count(key) != 0) return true;
  if (options_.force) return false;
  return found->second == "done" || !options_.retry_failed;
}

Point Executor::point_of(const PlannedRun& run, const Plan& plan, size_t i) const {
  return {plan.designs[run.first + i], run.workload, run.seed, budget_.value_or(0)};
}

PointRecord Executor::record_of(const Point& point, const std::string& key) {
  PointRecord record;
  record.key = key;
  record.label = space_.label(point.design);
  record.workload = space_.file().workloads[point.workload].name;
  record.seed = space_.seed(point.seed);
  record.budget = budget_;
  const std::vector<uint32_t> rows = space_.digits(point.design);
  for (size_t a = 0; a < rows.size(); ++a) {
    for (const auto& value : space_.axes()[a].rows[rows[a]])
      record.settings.push_back(setting_of(value));
  }
  return record;
}

void Executor::evaluate(const std::vector<uint64_t>& designs, std::optional<uint64_t> budget,
                        bool iterative) {
  budget_ = budget;
  const Plan plan = make_plan(space_, designs, iterative);
  tally_.points += plan.points();
  planned_ = tally_.runs + plan.runs.size() + plan.recordings;
  adopt(plan);
  for (size_t first = 0; first < plan.runs.size(); first += kSlice) {
    std::vector<Job> jobs;
    for (size_t i = first; i < std::min(first + kSlice, plan.runs.size()); ++i) {
      if (auto job = prepare(plan, plan.runs[i])) {
        jobs.push_back(std::move(*job));
      } else {
        --planned_;
      }
    }
    launch(jobs);
  }
  synthesize(plan);
}

/// Takes from the archive what this plan asks for.
void Executor::adopt(const Plan& plan) {
  if (archive_.empty() || options_.force) return;
  std::map<std::string, std::vector<Point>> runs;  // points by run
  for (const PlannedRun& run : plan.runs) {
    for (size_t i = 0; i < run.count; ++i) {
      const Point point = point_of(run, plan, i);
      const std::string key = key_of(point);
      const auto found = archive_.find(key);
      if (found == archive_.end() || store_.points().count(key) != 0) continue;
      runs[found->second].push_back(point);
    }
  }
  store_.begin();
  for (const auto& [id, points] : runs) {
    RunRecord record = read_json(folder_.job(id, ".json")).get<RunRecord>();
    std::map<std::string, Observed> observed;
    for (PointRecord& point : record.points) observed[point.key] = std::move(point.observed);
    record.points.clear();
    for (const Point& point : points) {
      const std::string key = key_of(point);
      record.points.push_back(record_of(point, key));
      record.points.back().observed = observed.at(key);
    }
    const fs::path end = folder_.job(id, ".end.json");
    store_.add(record, fs::exists(end) ? read_json(end).get<RunEnd>() : RunEnd());
  }
  store_.commit();
}

std::optional<Executor::Job> Executor::prepare(const Plan& plan, const PlannedRun& run) {
  Job job;
  std::vector<Point> points;
  for (size_t i = 0; i < run.count; ++i) {
    const Point point = point_of(run, plan, i);
    const std::string key = key_of(point);
    if (is_settled(key)) {
      ++tally_.reused;
      continue;
    }
    job.record.points.push_back(record_of(point, key));
    points.push_back(point);
  }
  if (points.empty()) return std::nullopt;
  const MergedRun merged = merge(space_, points);
  if (!merged.loaded.good()) {
    job.record.id = hash_text(job.record.points[0].key);
    refuse(job.record, merged.loaded.diagnostics[0].text());
    return std::nullopt;
  }
  for (size_t i = 0; i < points.size(); ++i) job.record.points[i].observed = merged.observed[i];
  job.record.kind = run.replay ? "replay" : "run";
  job.rtl_build = environment_.rtl_build(merged.loaded.configuration);
  job.record.id =
      hash_text(job.record.kind + job.rtl_build + configuration_identity(merged.loaded, true));
  const std::string& id = job.record.id;
  const std::string out = folder_.run(id).string();
  if (run.replay) {
    job.stream = configuration_identity(merged.loaded, false);
    const fs::path table = folder_.job(id, ".profilers.yaml");
    write_whole(table, flow_text(merged.root.find("profilers")->value) + "\n");
    write_whole(folder_.job(job.stream, ".yaml"),
                config::load_run_tree(merged.root, folder_.jobs().string()).effective);
    job.record.command = {environment_.strobe,
                          "replay",
                          folder_.stream(job.stream).string(),
                          "--profilers",
                          table.string(),
                          "--out",
                          out,
                          "--force"};
  } else {
    const fs::path file = folder_.job(id, ".yaml");
    write_whole(file, config::load_run_tree(merged.root, folder_.jobs().string()).effective);
    job.record.command = {environment_.strobe, "run",    file.string(), "--out", out,
                          "--force",           "--quiet"};
  }
  if (points.size() > 1) job.record.command.emplace_back("--no-profiles");
  return job;
}

void Executor::write_job(const Job& job) const {
  std::error_code ignored;
  fs::remove(folder_.job(job.record.id, ".end.json"), ignored);
  write_whole(folder_.job(job.record.id, ".json"), text::json_text(job.record) + "\n");
}

/// First what others wait for: recordings, and one run of each RTL build; then the rest.
void Executor::launch(std::vector<Job>& jobs) {
  if (jobs.empty()) return;
  std::vector<Job> first, rest;
  std::set<std::string> streams, builds;
  for (Job& job : jobs) {
    const bool records = !job.stream.empty() && streams.insert(job.stream).second &&
                         (options_.force || !fs::exists(folder_.stream(job.stream)));
    if (records) {
      Job& recording = first.emplace_back();
      recording.record.id = recording.stream = job.stream;
      recording.record.kind = "record";
      recording.record.command = {environment_.strobe,
                                  "record",
                                  folder_.job(job.stream, ".yaml").string(),
                                  "--out",
                                  folder_.stream(job.stream).string(),
                                  "--quiet"};
    }
    const bool builds_first = !job.rtl_build.empty() && builds.insert(job.rtl_build).second;
    (builds_first ? first : rest).push_back(std::move(job));
  }
  std::map<std::string, std::string> failed;  // streams that could not be recorded, and why
  for (std::vector<Job>* wave : {&first, &rest}) {
    std::vector<Launch> launches;
    std::map<std::string, const Job*> by_id;
    for (const Job& job : *wave) {
      const auto lost = failed.find(job.stream);
      if (!job.stream.empty() && lost != failed.end()) {
        refuse(job.record, "its recording: " + lost->second);
        continue;
      }
      write_job(job);
      const fs::path log = folder_.job(job.record.id, ".log");
      launches.push_back({job.record.id, job.record.command, log, {}});
      by_id[job.record.id] = &job;
    }
    fs::create_directories(folder_.root / "streams");
    fs::create_directories(folder_.root / "runs");
    launcher_.run(
        launches,
        [&](const Launch& launch, const RunEnd& end) {
          const Job& job = *by_id.at(launch.id);
          if (job.record.kind == "record" && end.status != "done") failed[job.stream] = end.reason;
          finish(job, end);
        },
        stop_);
    if (stop_ > 0) throw Stopped();
  }
}

/// A run that cannot be started.
void Executor::refuse(const RunRecord& record, const std::string& reason) {
  Job job;
  job.record = record;
  write_job(job);
  RunEnd end;
  end.status = "failed";
  end.reason = reason;
  finish(job, end);
}

void Executor::finish(const Job& job, RunEnd end) {
  store_.begin();
  end = job.record.kind == "record" ? end : store_.add(job.record, end);
  store_.commit();
  write_whole(folder_.job(job.record.id, ".end.json"), text::json_text(end) + "\n");
  ++tally_.runs;
  tally_.run_seconds += end.seconds;
  if (end.status != "done") {
    ++tally_.failed_runs;
    tally_.failed_points += job.record.points.size();
  }
  for (const PointRecord& point : job.record.points) fresh_.insert(point.key);
  if (options_.progress) options_.progress(tally_.runs, planned_, job.record, end);
}

}  // namespace strobe::explore
