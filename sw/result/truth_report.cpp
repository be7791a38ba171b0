#include "sw/result/truth_report.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sw/profile/accuracy/metrics.h"
#include "sw/profile/accuracy/ratio.h"
#include "sw/profile/reports/export.h"

namespace strobe::result {
namespace {

using Json = nlohmann::json;
using platform::kCycleParts;
using platform::kTimeSamplers;
using platform::TimeParts;
using platform::TruthOutcome;

constexpr const char* kMachine = "[machine mode]";
constexpr const char* kBeyond = "[other pages]";
constexpr const char* kNoLine = "[no line]";
constexpr const char* kOutsideLoops = "[no loop]";

void add(const TimeParts& more, TimeParts* sum) {
  sum->cycles += more.cycles;
  for (size_t i = 0; i < kTimeSamplers; ++i) sum->samples[i] += more.samples[i];
}

bool any(const TimeParts& parts) {
  return parts.cycles != 0 ||
         std::any_of(parts.samples.begin(), parts.samples.end(), [](uint64_t n) { return n != 0; });
}

/// A profile of instructions; machine mode and what found no room are instructions of other tags.
template <class PartsOf>
profile::Profile profile_of(const TruthOutcome& outcome, PartsOf parts_of) {
  profile::Entries entries;
  for (size_t i = 0; i < outcome.parts.size(); ++i) {
    entries.push_back({Tuple{outcome.instructions[i].pc, 0, 0}, parts_of(outcome.parts[i])});
  }
  entries.push_back({Tuple{0, 0, 1}, parts_of(outcome.machine)});
  entries.push_back({Tuple{0, 0, 2}, parts_of(outcome.beyond)});
  return profile::Profile(std::move(entries));
}

profile::Profile of_functions(const profile::Profile& profile,
                              const profile::FunctionOf& function_of) {
  profile::Entries entries = profile.entries();
  for (auto& [tuple, count] : entries) {
    if (tuple.tag == 0) tuple.pc = function_of(tuple.pc);
  }
  return profile::Profile(std::move(entries));
}

Json error(const profile::Profile& truth, const profile::Profile& sampled) {
  return sampled.empty() ? Json() : Json(1 - profile::overlap(truth, sampled));
}

double in_units(uint64_t parts) { return profile::ratio(parts, kCycleParts); }

}  // namespace

TruthReport::TruthReport(const TruthOutcome& outcome, profile::FunctionOf function_of,
                         const profile::ProgramNames& names)
    : outcome_(outcome),
      function_of_(std::move(function_of)),
      names_(names),
      loops_(profile::innermost_loops(outcome.instructions, outcome.jumps, function_of_)) {
  for (const TimeParts& parts : outcome.parts) add(parts, &all_);
  add(outcome.machine, &all_);
  add(outcome.beyond, &all_);
}

template <class NameOf>
TruthReport::Rows TruthReport::rows(NameOf name_of) const {
  Rows rows;
  for (size_t i = 0; i < outcome_.parts.size(); ++i) add(outcome_.parts[i], &rows[name_of(i)]);
  if (any(outcome_.machine)) rows[kMachine] = outcome_.machine;
  if (any(outcome_.beyond)) rows[kBeyond] = outcome_.beyond;
  return rows;
}

std::string TruthReport::function_name(uint64_t pc) const {
  const std::string entry = names_.symbol(function_of_(pc));
  const std::string at_entry = "+0x0";
  const size_t end = entry.size() - std::min(entry.size(), at_entry.size());
  return entry.substr(end) == at_entry ? entry.substr(0, end) : entry;
}

std::string TruthReport::loop_name(size_t instruction) const {
  const uint64_t header = loops_[instruction];
  if (header == profile::kNoLoop) return kOutsideLoops;
  const std::string line = names_.line(header);
  return names_.symbol(header) + (line.empty() ? line : " (" + line + ")");
}

Json TruthReport::rows_json(const Rows& rows) const {
  std::vector<std::pair<std::string, TimeParts>> sorted(rows.begin(), rows.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.cycles > b.second.cycles; });
  if (sorted.size() > kMostRows) sorted.resize(kMostRows);
  Json out = Json::array();
  for (const auto& [name, parts] : sorted) {
    Json& row = out.emplace_back();
    row["name"] = name;
    row["cycles"] = in_units(parts.cycles);
    row["share"] = profile::ratio(parts.cycles, all_.cycles);
    row["sampled"] = Json::object();
    for (size_t i = 0; outcome_.period != 0 && i < kTimeSamplers; ++i) {
      const uint64_t all = all_.samples[i];
      row["sampled"][platform::kTimeSamplerNames[i]] =
          all != 0 ? Json(profile::ratio(parts.samples[i], all)) : Json();
    }
  }
  return out;
}

Json TruthReport::errors_of(const profile::Profile& sampled) const {
  profile::Entries entries;
  for (size_t i = 0; i < outcome_.parts.size(); ++i) {
    entries.push_back({Tuple{outcome_.instructions[i].pc, 0, 0}, outcome_.parts[i].cycles});
  }
  const profile::Profile truth(std::move(entries));
  return {{"error_by_instruction", error(truth, sampled)},
          {"error_by_function",
           error(of_functions(truth, function_of_), of_functions(sampled, function_of_))}};
}

Json TruthReport::samplers_json() const {
  Json out = Json::object();
  if (outcome_.period == 0) return out;
  const auto truth = profile_of(outcome_, [](const TimeParts& parts) { return parts.cycles; });
  const profile::Profile functions = of_functions(truth, function_of_);
  for (size_t i = 0; i < kTimeSamplers; ++i) {
    const auto sampled =
        profile_of(outcome_, [i](const TimeParts& parts) { return parts.samples[i]; });
    Json& sampler = out[platform::kTimeSamplerNames[i]];
    sampler["samples"] = all_.samples[i] / kCycleParts;
    sampler["error_by_instruction"] = error(truth, sampled);
    sampler["error_by_function"] = error(functions, of_functions(sampled, function_of_));
    sampler["storage_bits"] = outcome_.storage_bits[i];
  }
  return out;
}

Json TruthReport::json() const {
  Json out;
  const auto& instructions = outcome_.instructions;
  out["instructions"] = instructions.size();
  out["machine_cycles"] = in_units(outcome_.machine.cycles);
  out["functions"] = rows_json(rows([&](size_t i) { return function_name(instructions[i].pc); }));
  out["lines"] = rows_json(rows([&](size_t i) {
    const std::string line = names_.line(instructions[i].pc);
    return line.empty() ? std::string(kNoLine) : line;
  }));
  out["loops"] = rows_json(rows([&](size_t i) { return loop_name(i); }));
  out["period"] = outcome_.period;
  out["samplers"] = samplers_json();
  return out;
}

std::string TruthReport::csv_line(const std::string& place, const TimeParts& parts) const {
  std::string line = place + ',' + std::to_string(parts.cycles);
  for (size_t i = 0; outcome_.period != 0 && i < kTimeSamplers; ++i) {
    line += ',' + std::to_string(parts.samples[i]);
  }
  return line + '\n';
}

NamedText TruthReport::csv() const {
  std::vector<size_t> order(outcome_.parts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [this](size_t a, size_t b) {
    return outcome_.parts[a].cycles > outcome_.parts[b].cycles;
  });
  std::string text = "pc,symbol,line,loop,cycles_840";
  for (size_t i = 0; outcome_.period != 0 && i < kTimeSamplers; ++i) {
    text += std::string(",") + platform::kTimeSamplerNames[i] + "_840";
  }
  text += '\n';
  for (const size_t i : order) {
    const uint64_t pc = outcome_.instructions[i].pc;
    const bool loop = loops_[i] != profile::kNoLoop;
    text += csv_line(profile::hexadecimal(pc) + ',' + profile::csv_field(names_.symbol(pc)) + ',' +
                         profile::csv_field(names_.line(pc)) + ',' +
                         (loop ? profile::hexadecimal(loops_[i]) : std::string()),
                     outcome_.parts[i]);
  }
  for (const auto& [name, parts] :
       {std::pair(kMachine, outcome_.machine), std::pair(kBeyond, outcome_.beyond)}) {
    if (any(parts)) text += csv_line(std::string(",") + name + ",,", parts);
  }
  return {"truth.csv", text};
}

}  // namespace strobe::result
