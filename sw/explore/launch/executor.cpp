#include "sw/explore/launch/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sw/explore/launch/left_behind.h"
#include "sw/files/sha256.h"
#include "sw/text/json_text.h"
#include "sw/yaml/scalar.h"

namespace strobe::explore {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// The number of runs that are prepared at a time; the others are only in the plan.
constexpr size_t kSlice = 4096;

json setting_of(const std::optional<AxisValue>& value) {
  if (!value) return nullptr;
  if (value->kind == Value::Kind::kNumber) {
    std::string why;
    if (const auto integer = yaml::integer_of(value->node, &why)) return *integer;
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
      stop_(stop),
      inputs_vary_(names_inputs(space)) {
  read_archive();
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
    const Axis& axis = space_.axes()[a];
    if (!axis.names.empty()) {
      record.settings.emplace_back(axis.names[rows[a]]);
      continue;
    }
    for (const auto& value : axis.rows[rows[a]]) record.settings.push_back(setting_of(value));
  }
  return record;
}

void Executor::evaluate(const std::vector<uint64_t>& designs, std::optional<uint64_t> budget,
                        bool iterative) {
  budget_ = budget;
  const Plan plan = make_plan(space_, designs, iterative);
  tally_.points += plan.points();
  if (!budget) store_.plan(plan.points());
  planned_ = tally_.runs + plan.runs.size() + plan.recordings;
  drop_predecessors(plan);
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
  job.record.inputs = inputs_of(merged.loaded.configuration);
  if (run.replay) job.record.inputs["rtl"] = nullptr;  // neither it nor its recording has any
  if (!run.replay) job.rtl_build = environment_.rtl_build(merged.loaded.configuration);
  job.record.id =
      hash_text(job.record.kind + job.rtl_build + configuration_identity(merged.loaded, true));
  const std::string& id = job.record.id;
  const std::string out = folder_.run(id).string();
  if (run.replay) {
    job.stream = configuration_identity(merged.loaded, false);
    const fs::path table = folder_.job(id, ".profilers.yaml");
    write_whole(table, flow_text(merged.root.find("profilers")->value) + "\n");
    const fs::path file = folder_.job(job.stream, ".yaml");
    // The runs that share the stream write the same file, and the last one's stays.
    write_run_file(merged.root, file);
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
    job.record.configuration = files::sha256_of_text(write_run_file(merged.root, file));
    job.record.command = {environment_.strobe, "run",    file.string(), "--out", out,
                          "--force",           "--quiet"};
  }
  if (points.size() > 1) job.record.command.emplace_back("--no-profiles");
  return job;
}

std::string Executor::write_run_file(const yaml::Node& root, const fs::path& file) {
  const std::string text = config::load_run_tree(root, file.parent_path().string()).effective;
  write_whole(file, text);
  return config::load_run_text(text, file.string(), {}).portable;
}

void Executor::write_job(const Job& job) const {
  std::error_code ignored;
  fs::remove(folder_.job(job.record.id, ".end.json"), ignored);
  write_whole(folder_.job(job.record.id, ".json"), text::json_text(job.record) + "\n");
}

/// Launches first what others wait for, which is the recordings and one run of each RTL build; then
/// the rest.
void Executor::launch(std::vector<Job>& jobs) {
  if (jobs.empty()) return;
  std::vector<Job> first, rest;
  std::set<std::string> streams, builds;
  for (Job& job : jobs) {
    const bool records =
        !job.stream.empty() && streams.insert(job.stream).second && !is_recorded(job.stream);
    if (records) {
      fs::remove(folder_.stream(job.stream));
      Job& recording = first.emplace_back();
      recording.record.id = recording.stream = job.stream;
      recording.record.kind = "record";
      recording.record.inputs = job.record.inputs;
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
  std::map<std::string, std::string> failed;  // the streams that could not be recorded, and why
  for (std::vector<Job>* wave : {&first, &rest}) {
    std::vector<Launch> launches;
    std::map<std::string, const Job*> by_id;
    for (Job& job : *wave) {
      const auto lost = failed.find(job.stream);
      if (!job.stream.empty() && lost != failed.end()) {
        refuse(job.record, "its recording: " + lost->second);
        continue;
      }
      if (job.record.kind == "replay") {
        job.record.inputs["stream"] = {{"name", job.stream}, {"sha256", streams_.at(job.stream)}};
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
          const RunEnd stored = finish(job, end);
          if (job.record.kind == "record" && stored.status != "done") {
            failed[job.stream] = stored.reason;
          }
        },
        stop_);
    if (stop_ > 0) throw Stopped();
  }
}

/// Stores the end of a run that cannot be started.
void Executor::refuse(const RunRecord& record, const std::string& reason) {
  Job job;
  job.record = record;
  write_job(job);
  RunEnd end;
  end.status = "failed";
  end.reason = reason;
  finish(job, end);
}

RunEnd Executor::finish(const Job& job, RunEnd end) {
  const bool recording = job.record.kind == "record";
  if (end.status == "done") {
    end.reason = fault_of(folder_, job.record);
    if (!end.reason.empty()) end.status = "failed";
  }
  if (recording && end.status == "done") {
    end.stream = files::sha256_of_file(folder_.stream(job.stream).string());
    streams_[job.stream] = end.stream;
  }
  store_.begin();
  end = recording ? end : store_.add(job.record, end);
  store_.commit();
  write_whole(folder_.job(job.record.id, ".end.json"), text::json_text(end) + "\n");
  ++tally_.runs;
  tally_.run_seconds += end.seconds;
  for (const PointRecord& point : job.record.points) fresh_.insert(point.key);
  if (options_.progress) options_.progress(tally_.runs, planned_, job.record, end);
  return end;
}

}  // namespace strobe::explore
