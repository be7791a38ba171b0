#include "sw/answer/run_profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw/answer/answer_error.h"
#include "sw/profile/reports/export.h"
#include "sw/text/diagnostic.h"

namespace strobe::answer {
namespace {

std::vector<std::string> source_names(const RunProfile& run) {
  std::vector<std::string> names;
  for (const Series& series : run.series) {
    if (std::find(names.begin(), names.end(), series.source) == names.end()) {
      names.push_back(series.source);
    }
  }
  return names;
}

/// What a source counts, all of them for an empty one: "edge, value".
std::string kinds_of(const RunProfile& run, const std::string& source) {
  std::string text;
  for (const Series& series : run.series) {
    if (!source.empty() && series.source != source) continue;
    if (text.find(series.kind) == std::string::npos)
      text += (text.empty() ? "" : ", ") + series.kind;
  }
  return text;
}

/// The first series of a source (any, if empty) whose kind is one of `kinds` (any, if empty).
const Series* find_series(const RunProfile& run, const std::string& source,
                          const std::vector<std::string>& kinds) {
  const auto found = std::find_if(run.series.begin(), run.series.end(), [&](const Series& series) {
    return (source.empty() || series.source == source) &&
           (kinds.empty() || std::find(kinds.begin(), kinds.end(), series.kind) != kinds.end());
  });
  return found == run.series.end() ? nullptr : &*found;
}

}  // namespace

std::string events_of(const Series& series) {
  static const std::map<std::string, std::string> names = {
      {"edge", "edges"}, {"value", "values"},   {"call_target", "calls"}, {"address", "addresses"},
      {"type", "types"}, {"method", "methods"}, {"cycles", "time"}};
  const auto found = names.find(series.kind);
  return found != names.end() ? found->second : series.kind + " events";
}

Place RunProfile::place(uint64_t pc) const {
  Place place;
  place.function = profile::hexadecimal(pc);
  place.start = pc;
  const auto named = symbols.find(pc);
  const isa::ElfSymbol* symbol =
      program.elf != nullptr && is_address(pc) ? program.elf->symbol_at(pc) : nullptr;
  if (symbol != nullptr) {
    place.function = symbol->name;
    place.start = symbol->address;
  } else if (named != symbols.end() && !named->second.empty()) {
    place.function = named->second;
    const size_t plus = place.function.rfind("+0x");
    if (plus != std::string::npos) {
      place.start = pc - std::strtoull(place.function.c_str() + plus, nullptr, 16);
      place.function.resize(plus);
    }
  }
  if (program.elf != nullptr && is_address(pc)) {
    const isa::SourceLine line = program.elf->line_at(pc);
    place.file = line.file;
    place.line = line.line;
  }
  return place;
}

std::string RunProfile::symbol(uint64_t pc) const {
  const Place where = place(pc);
  return where.start == pc ? where.function
                           : fmt::format("{}+{:#x}", where.function, pc - where.start);
}

const Series& series_for(const RunProfile& run, const std::string& source,
                         const std::vector<std::string>& kinds) {
  if (run.series.empty()) {
    throw AnswerError(fmt::format(
        "the run in {} has no profile: expected profilers, productions that count, or "
        "truth.cycles in its configuration; run it again with one, for example with --set "
        "truth.cycles=true",
        run.directory));
  }
  if (source.empty() && kinds.empty()) {
    if (const Series* truth = find_series(run, "truth", kinds)) return *truth;
  }
  const Series* found = find_series(run, source, kinds);
  if (found != nullptr) return *found;
  const std::vector<std::string> names = source_names(run);
  if (!source.empty() && std::find(names.begin(), names.end(), source) == names.end()) {
    throw AnswerError(fmt::format("no profile {} in {}{}; it has {}", text::in_quotes(source),
                                  run.directory, text::did_you_mean(source, names),
                                  fmt::join(names, ", ")));
  }
  throw AnswerError(fmt::format(
      "{} in {} counts what is asked for: expected a profile of {}, got {}; run it again with a "
      "selector {{ profile: {} }}",
      source.empty() ? "no profile" : "no part of " + text::in_quotes(source), run.directory,
      fmt::join(kinds, " or "), kinds_of(run, source), kinds[0]));
}

const Series& series_beside(const RunProfile& run, const std::string& source, const Series& first,
                            const std::vector<std::string>& kinds) {
  const std::string name = source == "exhaustive" ? "exhaustive." + first.source : source;
  const Series* same = find_series(run, name, {first.kind});
  if (same == nullptr && source == "exhaustive") {
    throw AnswerError(
        fmt::format("the exhaustive profile of {} is not in {}: run it again with --set "
                    "exhaustive_profiles=true",
                    text::in_quotes(first.source), run.directory));
  }
  return same != nullptr ? *same : series_for(run, name, kinds);
}

}  // namespace strobe::answer
