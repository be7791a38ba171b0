#include <algorithm>
#include <map>

#include "sw/answer/formats/format.h"
#include "sw/text/shown.h"

namespace strobe::answer {
namespace {

/// A frame must not hold what separates frames and lines.
std::string frame(const std::string& name) {
  std::string line = text::one_line(name);
  std::replace(line.begin(), line.end(), ';', ':');
  return line;
}

std::string stack_of(const RunProfile& run, const Series& series, const Tuple& tuple) {
  const Place place = run.place(tuple.pc);
  const std::string thread = series.thread.empty() ? "" : "thread " + series.thread + ";";
  const std::string stack = thread + frame(place.function);
  if (series.kind == "call_target") return stack + ";" + frame(run.place(tuple.value).function);
  return place.file.empty() ? stack : stack + ";" + frame(place.where());
}

}  // namespace

std::string write_folded(const RunProfile& run, const SeriesList& series) {
  const Series& one = *series.front();
  std::map<std::string, uint64_t> stacks;
  for (const auto& [tuple, count] : one.counts.entries()) {
    stacks[stack_of(run, one, tuple)] += count;
  }
  std::string text;
  for (const auto& [stack, count] : stacks) {
    if (whole(one, count) != 0) text += stack + " " + std::to_string(whole(one, count)) + "\n";
  }
  return text;
}

}  // namespace strobe::answer
