#include "sw/report/sweep_data.h"

namespace strobe::report {
namespace {

using Json = nlohmann::ordered_json;

Json real(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json reals(const std::vector<std::optional<double>>& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(real(value));
  return list;
}

Json bool_or_null(const std::optional<bool>& value) { return value ? Json(*value) : Json(); }

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

void put_columns(const SweepData& data, Json* out) {
  std::vector<std::string> keys;
  for (const Axis& axis : data.axes) keys.push_back(axis.key);
  for (const Objective& objective : data.objectives) keys.push_back(objective.key);
  const std::vector<std::string> names = short_names(keys);
  Json axes = Json::array(), objectives = Json::array();
  size_t name = 0;
  for (const Axis& axis : data.axes) {
    axes.push_back({{"key", axis.key},
                    {"name", names[name++]},
                    {"unit", axis.unit},
                    {"description", axis.description},
                    {"kind", axis.number ? "number" : "text"}});
  }
  for (const Objective& objective : data.objectives) {
    objectives.push_back({{"key", objective.key},
                          {"name", names[name++]},
                          {"unit", objective.unit},
                          {"direction", objective.maximize ? "max" : "min"}});
  }
  (*out)["axes"] = axes;
  (*out)["objectives"] = objectives;
}

Json design_json(const Design& design) {
  Json areas = Json::array();
  for (const Area& area : design.areas) {
    areas.push_back({{"profiler", area.profiler},
                     {"logic", area.logic},
                     {"flip_flops", area.flip_flops},
                     {"memory", area.memory}});
  }
  return {{"label", design.label},
          {"settings", design.settings},
          {"objectives", reals(design.objectives)},
          {"half_widths", reals(design.half_widths)},
          {"feasible", bool_or_null(design.feasible)},
          {"front", bool_or_null(design.front)},
          {"areas", areas}};
}

/// Larger numbers lose bits in the page, whose numbers are JavaScript's.
constexpr uint64_t kMostExact = uint64_t{1} << 53;

Json point_json(const Point& point) {
  return {{"design", point.design},
          {"run", point.run},
          {"workload", point.workload},
          {"seed", point.seed <= kMostExact ? Json(point.seed) : Json(std::to_string(point.seed))},
          {"status", point.status},
          {"objectives", reals(point.objectives)},
          {"configuration", point.configuration}};
}

Json over_seeds_json(const OverSeeds& group) {
  return {{"design", group.design},
          {"workload", group.workload},
          {"seeds", group.seeds},
          {"objectives", reals(group.objectives)},
          {"half_widths", reals(group.half_widths)}};
}

Json run_json(const Run& run) {
  return {{"id", run.id},
          {"status", run.status},
          {"reason", text_or_null(run.reason)},
          {"command", run.command},
          {"instructions", run.instructions},
          {"cycles", run.cycles},
          {"overhead_measured", real(run.overhead)},
          {"cpi", run.cpi}};
}

Json curve_json(const ProgressCurve& curve) {
  return {{"point", curve.point},
          {"profiler", curve.profiler},
          {"events", curve.events},
          {"overlap", reals(curve.overlap)},
          {"invariance_error", reals(curve.invariance_error)}};
}

template <class Items, class Convert>
Json list_json(const Items& items, const Convert& convert) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(convert(item));
  return list;
}

}  // namespace

Json to_json(const SweepData& data) {
  Json out = {{"schema_version", 1},
              {"kind", "sweep"},
              {"name", data.name},
              {"base", data.base},
              {"search", data.search},
              {"version", data.version},
              {"git_id", text_or_null(data.git_id)},
              {"file", data.file}};
  out["question"] = nullptr;
  if (data.question) {
    out["question"] = {{"ask", data.question->ask},
                       {"answer", data.question->answer},
                       {"design", data.question->design ? Json(*data.question->design) : Json()}};
  }
  put_columns(data, &out);
  out["constraints"] = data.constraints;
  out["designs"] = list_json(data.designs, design_json);
  out["points"] = list_json(data.points, point_json);
  out["seeds"] = data.seeds;
  out["over_seeds"] = list_json(data.over_seeds, over_seeds_json);
  out["runs"] = list_json(data.runs, run_json);
  out["progress"] = list_json(data.progress, curve_json);
  out["progress_of_front_only"] = data.progress_of_front_only;
  out["configurations"] = {{"lines", data.configurations.lines()},
                           {"blocks", data.configurations.blocks()}};
  return out;
}

}  // namespace strobe::report
