#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sw/answer/formats/format.h"
#include "sw/text/shown.h"

namespace strobe::answer {
namespace {

using Costs = std::vector<uint64_t>;  // by series

std::string costs_text(const Costs& costs) {
  std::string text;
  for (const uint64_t cost : costs) text += " " + std::to_string(cost);
  return text + "\n";
}

/// Names as the lines fl=, fi= and fn= take them. "(N)" at the beginning is the number of a name
/// there, so a name that begins with a parenthesis gets one: "(N) NAME" once, then "(N)".
class Names {
 public:
  std::string of(const std::string& name) {
    const std::string line = text::one_line(name);
    if (line.empty() || line[0] != '(') return line;
    const auto [number, is_new] = numbers_.emplace(line, numbers_.size() + 1);
    const std::string id = fmt::format("({})", number->second);
    return is_new ? id + ' ' + line : id;
  }

 private:
  std::map<std::string, size_t> numbers_;
};

std::string file_of(const Place& place) { return place.file.empty() ? "???" : place.file; }

/// An instruction's costs, by address within a function.
using FunctionCosts = std::map<uint64_t, std::pair<Place, Costs>>;

std::string function_text(const std::string& name, const FunctionCosts& instructions, Names* files,
                          Names* functions) {
  std::string file = file_of(instructions.begin()->second.first);
  std::string text = fmt::format("\nfl={}\nfn={}\n", files->of(file), functions->of(name));
  for (const auto& [pc, one] : instructions) {
    const auto& [place, costs] = one;
    if (file_of(place) != file) {
      file = file_of(place);
      text += "fi=" + files->of(file) + "\n";  // inlined from there
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
  text += "cmd: " + text::one_line(run.program.name) + "\npositions: instr line\nevents:";
  for (const Series* one : series) text += " " + event_name(*one);
  text += "\nsummary:" + costs_text(totals);
  Names file_names, function_names;
  for (const auto& [function, instructions] : functions) {
    text += function_text(function.second, instructions, &file_names, &function_names);
  }
  return text + "\ntotals:" + costs_text(totals);
}

}  // namespace strobe::answer
