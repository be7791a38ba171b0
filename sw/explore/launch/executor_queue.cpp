// Which run starts next. Runs are prepared one by one, as the launcher can start them. What others
// wait for, which is a recording or the first run of an RTL build, starts before them.
#include <fmt/format.h>

#include <utility>

#include "sw/explore/launch/executor.h"
#include "sw/explore/launch/left_behind.h"
#include "sw/text/json_text.h"

namespace strobe::explore {

namespace fs = std::filesystem;

namespace {

// The most runs that are prepared and have not ended; the others are only in the plan.
constexpr size_t kMostOpen = 4096;

}  // namespace

std::optional<Launch> Executor::next(const Plan& plan) {
  for (;;) {
    if (!ready_.empty()) {
      const std::string id = ready_.front();
      ready_.pop_front();
      return start(open_.at(id));
    }
    if (next_run_ == plan.runs.size() || open_.size() >= kMostOpen) return std::nullopt;
    auto job = prepare(plan, plan.runs[next_run_++]);
    if (!job) {
      --planned_;
      continue;
    }
    // One that waits does so for one that runs, whose end is not to be kept waiting.
    if (!admit(std::move(*job)) && ready_.empty()) return std::nullopt;
  }
}

bool Executor::share(const Job& job) {
  const RunRecord& record = job.record;
  const auto open = open_.find(record.id);
  if (open != open_.end()) {
    std::vector<PointRecord>& points = open->second.record.points;
    points.insert(points.end(), record.points.begin(), record.points.end());
    if (open->second.started) write_job(open->second);
    return true;
  }
  const auto ended = ended_.find(record.id);
  const fs::path file = folder_.job(record.id, ".json");
  std::optional<RunEnd> end;
  RunRecord whole;
  try {
    if (ended != ended_.end()) {
      end = ended->second;
    } else if (options_.force || !fs::exists(folder_.job(record.id, ".end.json"))) {
      return false;
    }
    whole = read_json(file).get<RunRecord>();
    std::string why;
    if (!end) end = left_end(folder_, whole, &why);
    if (!end || (ended == ended_.end() && end->status != "done")) return false;
  } catch (const std::exception&) {  // what an earlier process left is damaged, and made again
    return false;
  }
  whole.points.insert(whole.points.end(), record.points.begin(), record.points.end());
  write_whole(file, text::json_text(whole) + "\n");
  if (ended == ended_.end()) tally_.reused += record.points.size();
  stored(record, *end);
  return true;
}

bool Executor::admit(Job job) {
  const std::string id = job.record.id;
  Job& open = open_[id] = std::move(job);
  const std::string& awaited = open.stream.empty() ? open.rtl_build : open.stream;
  const auto lost = lost_.find(open.stream);
  if (!open.stream.empty() && lost != lost_.end()) {
    const RunRecord record = std::move(open.record);
    open_.erase(id);
    refuse(record, "its recording: " + lost->second);
    return false;
  }
  const auto waiting = waiting_.find(awaited);
  if (waiting != waiting_.end()) {
    waiting->second.push_back(id);
    return false;
  }
  const bool recorded = !open.stream.empty() && is_recorded(open.stream);
  if (awaited.empty() || recorded || built_.count(awaited) != 0) {
    ready_.push_back(id);
    return true;
  }
  // It is the first that needs it.
  std::vector<std::string>& others = waiting_[awaited];
  if (open.stream.empty()) {
    ready_.push_back(id);
    return true;
  }
  others.push_back(id);
  record_for(open);
  return true;
}

void Executor::record_for(const Job& replay) {
  const std::string& stream = replay.stream;
  fs::remove(folder_.stream(stream));
  Job& recording = open_[stream];
  recording.record.id = recording.stream = stream;
  recording.record.kind = "record";
  recording.record.inputs = replay.record.inputs;
  recording.record.command = {environment_.strobe,
                              "record",
                              folder_.job(stream, ".yaml").string(),
                              "--out",
                              folder_.stream(stream).string(),
                              "--quiet"};
  ready_.push_back(stream);
}

Launch Executor::start(Job& job) {
  if (job.record.kind == "replay") {
    job.record.inputs["stream"] = {{"name", job.stream}, {"sha256", streams_.at(job.stream)}};
  }
  write_job(job);
  job.started = true;
  return {job.record.id, job.record.command, folder_.job(job.record.id, ".log"), {}};
}

void Executor::on_end(const Launch& launch, const RunEnd& end) {
  const Job job = std::move(open_.at(launch.id));
  open_.erase(launch.id);
  const RunEnd last = finish(job, end);
  const bool recording = job.record.kind == "record";
  if (!recording) ended_[launch.id] = last;
  if (recording && last.status != "done") lost_[job.stream] = last.reason;
  if (!job.rtl_build.empty()) built_.insert(job.rtl_build);
  const std::string awaited = recording ? job.stream : job.rtl_build;
  const auto waiting = waiting_.find(awaited);
  if (awaited.empty() || waiting == waiting_.end()) return;
  const std::vector<std::string> ids = std::move(waiting->second);
  waiting_.erase(waiting);
  for (const std::string& id : ids) {
    Job next = std::move(open_.at(id));
    open_.erase(id);
    admit(std::move(next));
  }
}

}  // namespace strobe::explore
