#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "sw/answer/answer_error.h"
#include "sw/answer/csv_table.h"
#include "sw/answer/formats/format.h"
#include "sw/answer/formats/timeline_events.h"
#include "sw/answer/formats/trace_events.h"

namespace strobe::answer {
namespace {

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

/// The counters of the region that begins in cycle `begin`.
void add_intervals(const std::filesystem::path& file, unsigned track, uint64_t begin,
                   TraceEvents* events) {
  events->name_track(track, "intervals");
  const std::vector<Interval> intervals = intervals_of(file);
  std::map<std::string, uint64_t> sums;
  for (const Interval& interval : intervals) {
    for (const auto& [name, value] : interval.counters) sums[name] += value;
  }
  for (size_t i = 0; i < intervals.size(); ++i) {
    events->add_slice(track, fmt::format("interval {}", i), begin, intervals[i].cycles,
                      TraceEvents::Args::object());
    std::map<std::string, TraceEvents::Args> counters;
    for (const auto& [name, value] : intervals[i].counters) {
      if (sums.at(name) == 0) continue;
      counters[group_of(name)][name.substr(name.rfind('.') + 1)] = value;
    }
    for (const auto& [group, values] : counters) events->add_counter(group, begin, values);
    begin += intervals[i].cycles;
  }
}

}  // namespace

std::string write_perfetto(const RunProfile& run, const SeriesList& /*series*/) {
  const std::filesystem::path directory = run.directory;
  const std::filesystem::path intervals = directory / "intervals.csv";
  const bool has_intervals = std::filesystem::exists(intervals);
  const bool has_timeline =
      !run.timeline.empty() && std::filesystem::exists(directory / run.timeline);
  if (!has_intervals && !has_timeline) {
    throw AnswerError(fmt::format(
        "the run in {} has no course in time: expected intervals.csv or a timeline, got neither; "
        "run it again with --set interval=10000, an interval of 10,000 instructions, or with "
        "--set trace.timeline=timeline.csv",
        run.directory));
  }
  if (run.frequency_ghz == 0) {
    throw AnswerError(fmt::format(
        "the clock of the run in {} is not known: expected core.frequency_ghz in a config.yaml of "
        "this version of Strobe, got another; use that version or run it again",
        run.directory));
  }
  TraceEvents events(run.program.name, run.frequency_ghz);
  uint64_t begin = 0;
  if (has_timeline) begin = add_timeline(directory / run.timeline, /*track=*/1, &events);
  if (has_intervals) add_intervals(intervals, /*track=*/2, begin, &events);
  return events.text();
}

}  // namespace strobe::answer
