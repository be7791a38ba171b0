// What an earlier process of the sweep left: the answers in jobs/ and runs/ that the database does
// not have, and the answers in the database that come from another program or configuration.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sw/explore/launch/executor.h"
#include "sw/explore/launch/left_behind.h"
#include "sw/files/sha256.h"
#include "sw/text/json_text.h"

namespace strobe::explore {

namespace fs = std::filesystem;
using nlohmann::json;

/// Finds runs that the database does not know, because it was made anew or because a process was
/// killed before it stored them.
void Executor::read_archive() {
  std::error_code error;
  fs::create_directories(folder_.jobs(), error);
  if (error)
    throw FolderError(fmt::format("cannot make {}: {}", folder_.jobs().string(), error.message()));
  std::set<std::string> known;
  Statement runs(store_.database(), "SELECT DISTINCT run FROM point");
  while (runs.step()) known.insert(runs.text(0));
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_.jobs())) {
    const std::string name = entry.path().filename().string();
    const std::string id = entry.path().stem().string();
    if (entry.path().extension() != ".json" || id.find('.') != std::string::npos) continue;
    if (known.count(id) != 0) continue;
    const bool ended = fs::exists(folder_.job(id, ".end.json")) || fs::exists(folder_.run(id));
    if (!ended) continue;
    const std::optional<RunRecord> record = read_job(id);
    if (!record) continue;
    for (const PointRecord& point : record->points) archive_[point.key].push_back(id);
  }
}

std::optional<RunRecord> Executor::read_job(const std::string& id) const {
  const fs::path file = folder_.job(id, ".json");
  try {
    RunRecord record = read_json(file).get<RunRecord>();
    if (record.id == id) return record;
    options_.warn(fmt::format("{} is damaged (expected the run {}, got {}); its run is repeated",
                              file.string(), id, record.id));
  } catch (const FolderError& error) {
    options_.warn(fmt::format("{}; its run is repeated", error.what()));
  } catch (const std::exception& error) {
    options_.warn(
        fmt::format("{} is damaged ({}); its run is repeated", file.string(), error.what()));
  }
  return std::nullopt;
}

void Executor::drop_predecessors(const Plan& plan) {
  if (store_.points().empty()) return;
  std::unordered_set<std::string> planned;
  for (const PlannedRun& run : plan.runs) {
    for (const Point& point : points_of(plan, run)) planned.insert(keys_.of_point(point));
  }
  const auto& stored = store_.points();
  if (std::all_of(stored.begin(), stored.end(),
                  [&](const auto& point) { return planned.count(point.first) != 0; })) {
    return;
  }
  store_.begin();
  for (const PlannedRun& run : plan.runs) {
    for (const Point& point : points_of(plan, run)) {
      store_.drop_predecessors(record_of(point, keys_.of_point(point), run.before));
    }
  }
  store_.commit();
}

/// Takes from the archive the answers that this plan asks for. Where a point has several answers,
/// it takes one that is done.
void Executor::adopt(const Plan& plan) {
  if (archive_.empty() || options_.force) return;
  struct Left {
    std::optional<RunRecord> record;
    std::optional<RunEnd> end;
    std::vector<std::pair<Point, uint64_t>> points;  // that it is to answer, with their places
  };
  std::map<std::string, Left> runs;
  const auto left_by = [&](const std::string& id) -> Left& {
    const auto [run, is_new] = runs.try_emplace(id);
    Left& left = run->second;
    if (!is_new || !(left.record = read_job(id))) return left;
    std::string why;
    left.end = left_end(folder_, *left.record, &why);
    if (!why.empty()) options_.warn(why + (left.end ? "" : "; its run is repeated"));
    return left;
  };
  for (const PlannedRun& run : plan.runs) {
    uint64_t place = run.before;
    for (const Point& point : points_of(plan, run)) {
      const uint64_t own_place = place++;
      const std::string key = keys_.of_point(point);
      const auto found = archive_.find(key);
      if (found == archive_.end() || store_.points().count(key) != 0) continue;
      Left* answer = nullptr;
      for (const std::string& id : found->second) {
        Left& left = left_by(id);
        const bool better = answer == nullptr || answer->end->status != "done";
        if (left.end && better) answer = &left;
      }
      if (answer != nullptr) answer->points.emplace_back(point, own_place);
    }
  }
  store_.begin();
  for (auto& [id, left] : runs) {
    if (left.points.empty()) continue;
    RunRecord& record = *left.record;
    std::map<std::string, Observed> observed;
    for (PointRecord& point : record.points) observed[point.key] = std::move(point.observed);
    record.points.clear();
    for (const auto& [point, place] : left.points) {
      const std::string key = keys_.of_point(point);
      record.points.push_back(record_of(point, key, place));
      record.points.back().observed = observed.at(key);
    }
    const RunEnd stored = store_.add(record, *left.end);
    write_whole(folder_.job(id, ".end.json"), text::json_text(json(stored)) + "\n");
  }
  store_.commit();
}

bool Executor::is_recorded(const std::string& stream) {
  if (streams_.count(stream) != 0) return true;
  if (options_.force) return false;
  RunRecord recording;
  recording.id = stream;
  recording.kind = "record";
  std::string why;
  const fs::path file = folder_.stream(stream);
  if (!fs::exists(file) || !fs::exists(folder_.job(stream, ".end.json"))) return false;
  const std::optional<RunEnd> end = left_end(folder_, recording, &why);
  if (end && end->status == "done" && files::sha256_of_file(file.string()) == end->stream) {
    streams_[stream] = end->stream;
    return true;
  }
  if (!end || end->status == "done") {
    options_.warn(
        fmt::format("{}; it is recorded again", why.empty() ? file.string() + " is damaged" : why));
  }
  return false;
}

}  // namespace strobe::explore
