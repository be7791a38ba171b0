// Synthesizes the profilers whose area or timing an objective asks for, each distinct block once.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sw/explore/launch/executor.h"
#include "sw/explore/launch/left_behind.h"
#include "sw/text/json_text.h"

namespace strobe::explore {

using nlohmann::json;

namespace {

/// The figures that `strobe synth --format json` reports for its one block, by the keys of a
/// profiler's result.
std::map<std::string, double> figures(const json& report) {
  const json& cells = report.at("blocks").at(0).at("cells");
  const double logic = cells.at("logic_um2"), flip_flops = cells.at("flip_flop_um2"),
               memory = cells.at("memory_um2"), gate = cells.at("gate_um2");
  const double area = logic + flip_flops + memory;
  return {{"area", area},          {"logic_area", logic},  {"flip_flop_area", flip_flops},
          {"memory_area", memory}, {"gates", area / gate}, {"period", cells.at("period_ns")}};
}

}  // namespace

void Executor::synthesize(const Plan& plan) {
  const std::vector<size_t> profilers = synthesized_profilers(space_);
  if (profilers.empty()) return;
  struct User {
    std::string point;  // the point's key
    size_t profiler;
  };
  std::map<std::string, std::vector<User>> users;             // by block
  std::map<std::pair<uint64_t, size_t>, std::string> blocks;  // by design and profiler
  // The points that have their figures, by profiler.
  std::map<size_t, std::set<std::string>> known;
  for (const size_t profiler : profilers) {
    known[profiler] =
        store_.points_with(fmt::format("profilers.{}{}area", profiler, kSynthesisPart));
  }
  for (const PlannedRun& run : plan.runs) {
    for (const Point& point : points_of(plan, run)) {
      const std::string key = keys_.of_point(point);
      for (const size_t profiler : profilers) {
        std::string& block = blocks[{point.design, profiler}];
        if (block.empty()) block = block_at(space_, point, profiler, environment_.block);
        if (!block.empty()) users[block].push_back({key, profiler});
      }
    }
  }
  std::vector<Launch> launches;
  std::map<std::string, RunRecord> records;
  const Synthesis& synthesis = space_.file().synthesis;
  for (const auto& [block, points] : users) {
    RunRecord record;
    record.kind = "synth";
    record.command = {environment_.strobe, "synth",   "--block",  block, "--library",
                      synthesis.library,   "--cells", "--format", "json"};
    record.inputs = environment_.synthesis_inputs;
    if (!synthesis.macros.empty()) {
      record.command.insert(record.command.end(), {"--macros", synthesis.macros});
    }
    record.id = hash_text(environment_.identity + text::json_text(record.inputs) +
                          shell_text(record.command));
    const bool has_figures = std::all_of(points.begin(), points.end(), [&known](const User& user) {
      return known[user.profiler].count(user.point) != 0;
    });
    if (has_figures && store_.is_done(record.id)) continue;
    launches.push_back({record.id, record.command, folder_.job(record.id, ".log"),
                        folder_.job(record.id, ".synth.json")});
    records[record.id] = record;
    write_whole(folder_.job(record.id, ".json"), text::json_text(record) + "\n");
  }
  planned_ += launches.size();
  launcher_.run(
      launches,
      [&](const Launch& launch, RunEnd end) {
        const RunRecord& record = records.at(launch.id);
        std::map<std::string, double> found;
        try {
          if (end.status == "done") {
            const json report = read_json(launch.output);
            end.reason = replaced_input(record.inputs, report.at("inputs"));
            if (end.reason.empty()) found = figures(report);
          }
        } catch (const std::exception& error) {
          end.reason = fmt::format("{} is damaged ({})", launch.output.string(), error.what());
        }
        if (!end.reason.empty() && end.status == "done") end.status = "failed";
        store_.begin();
        store_.add_run(record, end);
        for (const User& user : users.at(record.command[3])) {
          std::map<std::string, double> metrics;
          for (const auto& [key, value] : found) {
            metrics[fmt::format("profilers.{}{}{}", user.profiler, kSynthesisPart, key)] = value;
          }
          const std::string prefix = fmt::format("profilers.{}{}", user.profiler, kSynthesisPart);
          store_.replace_metrics(user.point, prefix, metrics);
        }
        store_.commit();
        ++tally_.runs;
        if (options_.progress) options_.progress(tally_.runs, planned_, record, end);
      },
      stop_);
  if (stop_ > 0) throw Stopped();
}

}  // namespace strobe::explore
