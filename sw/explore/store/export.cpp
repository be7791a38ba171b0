// Writes points.csv and points.jsonl: one line a point with its axes, its state and every figure.
#include <fmt/format.h>

#include <map>

#include "sw/explore/store/csv.h"
#include "sw/explore/store/store.h"
#include "sw/text/json_text.h"

namespace strobe::explore {

using nlohmann::json;

void Store::write_exports() {
  std::vector<std::string> names = {"point", "design", "workload", "seed", "status", "run"};
  const size_t first_axis = names.size();
  for (const AxisHeader& axis : header_.axes) names.push_back(axis.key);
  const size_t first_metric = names.size();
  std::map<int64_t, size_t> column_of;
  Statement keys(*database_, "SELECT id, key FROM metric_key ORDER BY key");
  while (keys.step()) {
    column_of[keys.integer(0)] = names.size();
    names.push_back(keys.text(1));
  }
  std::string csv, lines;
  for (size_t i = 0; i < names.size(); ++i) csv += (i == 0 ? "" : ",") + csv_field(names[i]);
  csv += "\n";

  Statement settings(*database_, "SELECT axis, value FROM setting WHERE design = ?");
  Statement metrics(*database_, "SELECT key, value FROM metric WHERE point = ?");
  Statement points(*database_,
                   "SELECT id, design, workload, seed, status, run FROM point WHERE budget IS NULL "
                   "ORDER BY design, workload, length(seed), seed");
  while (points.step()) {
    std::vector<json> row(names.size());
    for (size_t i = 0; i < first_axis; ++i) row[i] = points.value(static_cast<int>(i));
    row[3] = points.natural(3);
    settings.bind(points.integer(1));
    while (settings.step()) {
      row[first_axis + static_cast<size_t>(settings.integer(0))] = settings.value(1);
    }
    metrics.bind(points.integer(0));
    while (metrics.step()) row[column_of.at(metrics.integer(0))] = metrics.value(1);
    json object = json::object();
    for (size_t i = 0; i < row.size(); ++i) {
      csv += (i == 0 ? "" : ",") + csv_field(row[i]);
      if (i < first_metric || !row[i].is_null()) object[names[i]] = row[i];
    }
    csv += "\n";
    lines += text::json_text(object) + "\n";
  }
  write_whole(folder_.root / "points.csv", csv);
  write_whole(folder_.root / "points.jsonl", lines);
}

}  // namespace strobe::explore
