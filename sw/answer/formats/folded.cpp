#include <algorithm>
#include <map>

#include "sw/answer/formats/format.h"

namespace strobe::answer {
namespace {

/// A frame must not hold what separates frames and lines.
std::string frame(std::string name) {
  std::replace(name.begin(), name.end(), ';', ':');
  std::replace(name.begin(), name.end(), '\n', ' ');
  return name;
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
