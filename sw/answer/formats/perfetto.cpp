#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "sw/answer/answer_error.h"
#include "sw/answer/csv_table.h"
#include "sw/answer/formats/format.h"
#include "sw/text/json_text.h"

namespace strobe::answer {
namespace {

using Json = nlohmann::ordered_json;

const std::string kStack = "core.cpi.";  // its classes add up to the cycles

/// An interval's counters, without those that are 0 in all intervals.
struct Interval {
  uint64_t cycles = 0;
  std::vector<std::pair<std::string, uint64_t>> counters;
};

std::vector<Interval> intervals_of(const std::filesystem::path& file) {
  std::vector<Interval> intervals;
  CsvTable table(file);
  while (table.next()) {
    Interval interval;
    for (const std::string& name : table.columns()) {
      if (name == "interval") continue;
      const uint64_t value = table.number(name);
      if (name.rfind(kStack, 0) == 0) interval.cycles += value;
      interval.counters.emplace_back(name, value);
    }
    intervals.push_back(std::move(interval));
  }
  return intervals;
}

/// "core.cpi" of "core.cpi.base": counters of one group share a track.
std::string group_of(const std::string& name) { return name.substr(0, name.rfind('.')); }

/// The name of the program, and what a time is.
Json head(const RunProfile& run, double frequency_ghz) {
  return {{"name", "process_name"},
          {"ph", "M"},
          {"pid", 1},
          {"args",
           {{"name", fmt::format("{}: simulated time, a cycle is {} ns", run.program.name,
                                 1 / frequency_ghz)}}}};
}

}  // namespace

std::string write_perfetto(const RunProfile& run, const SeriesList& /*series*/) {
  const std::filesystem::path file = std::filesystem::path(run.directory) / "intervals.csv";
  if (!std::filesystem::exists(file)) {
    throw AnswerError(fmt::format(
        "the run in {} has no course in time: expected intervals.csv, got none; run it again with "
        "--set interval=10000, an interval of 10,000 instructions",
        run.directory));
  }
  if (run.frequency_ghz == 0) {
    throw AnswerError(fmt::format(
        "the clock of the run in {} is not known: expected core.frequency_ghz in a config.yaml of "
        "this version of Strobe, got another; use that version or run it again",
        run.directory));
  }
  const std::vector<Interval> intervals = intervals_of(file);
  std::map<std::string, uint64_t> sums;
  for (const Interval& interval : intervals) {
    for (const auto& [name, value] : interval.counters) sums[name] += value;
  }
  Json events = Json::array({head(run, run.frequency_ghz)});
  const double cycle_us = 1e-3 / run.frequency_ghz;
  uint64_t begin = 0;
  for (size_t i = 0; i < intervals.size(); ++i) {
    const double ts = static_cast<double>(begin) * cycle_us;
    events.push_back({{"name", fmt::format("interval {}", i)},
                      {"cat", "interval"},
                      {"ph", "X"},
                      {"ts", ts},
                      {"dur", static_cast<double>(intervals[i].cycles) * cycle_us},
                      {"pid", 1},
                      {"tid", 1},
                      {"args", {{"cycle", begin}, {"cycles", intervals[i].cycles}}}});
    std::map<std::string, Json> tracks;
    for (const auto& [name, value] : intervals[i].counters) {
      if (sums.at(name) == 0) continue;
      tracks[group_of(name)][name.substr(name.rfind('.') + 1)] = value;
    }
    for (const auto& [group, counters] : tracks) {
      events.push_back({{"name", group}, {"ph", "C"}, {"ts", ts}, {"pid", 1}, {"args", counters}});
    }
    begin += intervals[i].cycles;
  }
  return text::json_text(Json{{"displayTimeUnit", "ns"}, {"traceEvents", events}}) + "\n";
}

}  // namespace strobe::answer
