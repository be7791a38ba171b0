#include "sw/explore/launch/executor.h"

#include <fmt/format.h>

#include <utility>

#include "sw/explore/launch/left_behind.h"
#include "sw/files/sha256.h"
#include "sw/text/json_text.h"
#include "sw/yaml/scalar.h"

namespace strobe::explore {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

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
      keys_(space, environment_) {
  read_archive();
}

bool Executor::is_settled(const std::string& key) const {
  const auto found = store_.points().find(key);
  if (found == store_.points().end()) return false;
  if (fresh_.count(key) != 0) return true;
  if (options_.force) return false;
  return found->second == "done" || !options_.retry_failed;
}

std::vector<Point> Executor::points_of(const Plan& plan, const PlannedRun& run) const {
  return explore::points_of(plan, run, budget_.value_or(0));
}

PointRecord Executor::record_of(const Point& point, const std::string& key, uint64_t place) {
  PointRecord record;
  record.key = key;
  record.place = static_cast<int64_t>(places_ + place) + 1;
  record.design_place = design_places_.at(point.design);
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

void Executor::place_designs(const Plan& plan) {
  for (const uint64_t design : plan.designs) {
    design_places_.try_emplace(design, static_cast<int64_t>(design_places_.size()) + 1);
  }
}

void Executor::evaluate(const std::vector<uint64_t>& designs, std::optional<uint64_t> budget,
                        bool iterative) {
  budget_ = budget;
  const Plan plan = make_plan(space_, designs, iterative);
  tally_.points += plan.points();
  if (!budget) store_.plan(plan.points());
  planned_ = tally_.runs + plan.runs.size() + plan.recordings;
  place_designs(plan);
  drop_predecessors(plan);
  adopt(plan);
  for (const char* part : {"streams", "runs", "baselines"}) {
    fs::create_directories(folder_.root / part);
  }
  next_run_ = 0;
  launcher_.run([&] { return next(plan); },
                [this](const Launch& launch, const RunEnd& end) { on_end(launch, end); }, stop_);
  if (stop_ > 0) throw Stopped();
  places_ += plan.points();
  synthesize(plan);
}

std::optional<Executor::Job> Executor::prepare(const Plan& plan, const PlannedRun& run) {
  Job job;
  std::vector<Point> points;
  uint64_t place = run.before;
  for (const Point& point : points_of(plan, run)) {
    const std::string key = keys_.of_point(point);
    if (is_settled(key)) {
      ++tally_.reused;
    } else {
      job.record.points.push_back(record_of(point, key, place));
      points.push_back(point);
    }
    ++place;
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
  job.record.inputs = keys_.inputs_of(merged.loaded.configuration);
  if (run.replay) job.record.inputs["rtl"] = nullptr;  // neither it nor its recording has any
  if (run.replay) job.stream = keys_.of_stream(merged.loaded);
  if (!run.replay) job.rtl_build = environment_.rtl_build(merged.loaded.configuration);
  job.record.id = keys_.of_run(job.record.kind, merged.loaded);
  if (share(job)) return std::nullopt;
  write_run(merged, &job);
  return job;
}

/// Writes what the run reads, and says how to start it.
void Executor::write_run(const MergedRun& merged, Job* job) {
  RunRecord& record = job->record;
  const std::string out = folder_.run(record.id).string();
  if (!job->stream.empty()) {
    const fs::path table = folder_.job(record.id, ".profilers.yaml");
    write_whole(table, flow_text(merged.root.find("profilers")->value) + "\n");
    // The runs that share the stream write the same file, and the last one's stays.
    write_run_file(merged.root, folder_.job(job->stream, ".yaml"));
    record.command = {environment_.strobe,
                      "replay",
                      folder_.stream(job->stream).string(),
                      "--profilers",
                      table.string(),
                      "--out",
                      out,
                      "--force"};
  } else {
    const fs::path file = folder_.job(record.id, ".yaml");
    record.configuration = files::sha256_of_text(write_run_file(merged.root, file));
    record.command = {environment_.strobe, "run",    file.string(), "--out", out,
                      "--force",           "--quiet"};
    const std::string baseline = keys_.of_baseline(merged.loaded);
    if (!baseline.empty() && merged.loaded.configuration.workload.write.empty()) {
      record.command.insert(record.command.end(),
                            {"--baseline", (folder_.root / "baselines" / baseline).string()});
    }
  }
  if (record.points.size() > 1) record.command.emplace_back("--no-profiles");
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
  if (!recording) end = stored(job.record, end);
  write_whole(folder_.job(job.record.id, ".end.json"), text::json_text(end) + "\n");
  ++tally_.runs;
  tally_.run_seconds += end.seconds;
  if (options_.progress) options_.progress(tally_.runs, planned_, job.record, end);
  return end;
}

/// Stores what a run answers. @return its end as it was stored
RunEnd Executor::stored(const RunRecord& record, RunEnd end) {
  store_.begin();
  end = store_.add(record, end);
  store_.commit();
  for (const PointRecord& point : record.points) fresh_.insert(point.key);
  return end;
}

}  // namespace strobe::explore
