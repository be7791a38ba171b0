#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sw/answer/formats/format.h"

namespace strobe::answer {
namespace {

using Costs = std::vector<uint64_t>;  // by series

std::string costs_text(const Costs& costs) {
  std::string text;
  for (const uint64_t cost : costs) text += " " + std::to_string(cost);
  return text + "\n";
}

std::string one_line(std::string name) {
  std::replace(name.begin(), name.end(), '\n', ' ');
  return name;
}

std::string file_of(const Place& place) {
  return place.file.empty() ? "???" : one_line(place.file);
}

/// An instruction's costs, by address within a function.
using FunctionCosts = std::map<uint64_t, std::pair<Place, Costs>>;

std::string function_text(const std::string& name, const FunctionCosts& instructions) {
  std::string file = file_of(instructions.begin()->second.first);
  std::string text = fmt::format("\nfl={}\nfn={}\n", file, one_line(name));
  for (const auto& [pc, one] : instructions) {
    const auto& [place, costs] = one;
    if (file_of(place) != file) {
      file = file_of(place);
      text += "fi=" + file + "\n";  // inlined from there
    }
    text += fmt::format("{:#x} {}", pc, place.line) + costs_text(costs);
  }
  return text;
}

}  // namespace

std::string write_callgrind(const RunProfile& run, const SeriesList& series) {
  std::map<std::pair<uint64_t, std::string>, FunctionCosts> functions;  // by start and name
  Costs totals(series.size());
  for (size_t i = 0; i < series.size(); ++i) {
    for (const auto& [tuple, count] : series[i]->counts.entries()) {
      const Place place = run.place(tuple.pc);
      auto& [of, costs] = functions[{place.start, place.function}][tuple.pc];
      of = place;
      costs.resize(series.size());
      costs[i] += count;
    }
  }
  for (auto& [function, instructions] : functions) {
    for (auto& [pc, one] : instructions) {
      for (size_t i = 0; i < series.size(); ++i) {
        one.second[i] = whole(*series[i], one.second[i]);
        totals[i] += one.second[i];
      }
    }
  }
  std::string text = "# callgrind format\nversion: 1\ncreator: strobe\n";
  const std::string& thread = series.front()->thread;
  const auto other = [&thread](const Series* one) { return one->thread != thread; };
  const bool one_thread = std::none_of(series.begin(), series.end(), other) && !thread.empty();
  if (one_thread) text += "thread: " + thread + "\n";
  text += "cmd: " + one_line(run.program.name) + "\npositions: instr line\nevents:";
  for (const Series* one : series) text += " " + event_name(*one);
  text += "\nsummary:" + costs_text(totals);
  for (const auto& [function, instructions] : functions) {
    text += function_text(function.second, instructions);
  }
  return text + "\ntotals:" + costs_text(totals);
}

}  // namespace strobe::answer
