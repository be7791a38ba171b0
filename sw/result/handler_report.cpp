#include "sw/result/handler_report.h"

#include <sstream>

#include "sw/profile/accuracy/metrics.h"
#include "sw/profile/reports/call_profiles.h"
#include "sw/profile/reports/export.h"
#include "sw/profile/reports/reports.h"
#include "sw/result/result_directory.h"

namespace strobe::result {
namespace {

/// Null without events: nothing can be said of a part of nothing.
nlohmann::json ratio_or_null(uint64_t part, uint64_t whole) {
  if (whole == 0) return nullptr;
  return static_cast<double>(part) / static_cast<double>(whole);
}

nlohmann::json calls_accuracy(const profile::Profile& collected,
                              const profile::Profile& exhaustive) {
  const bool any = !exhaustive.empty();
  nlohmann::json out;
  out["tuples"] = collected.size();
  out["exhaustive_tuples"] = exhaustive.size();
  out["overlap"] = any ? nlohmann::json(profile::overlap(exhaustive, collected)) : nlohmann::json();
  out["overlap_90"] =
      any ? nlohmann::json(profile::overlap_truncated(exhaustive, collected)) : nlohmann::json();
  return out;
}

nlohmann::json counts_json(const platform::CallsOutcome& counts) {
  nlohmann::json out = calls_accuracy(counts.collected, counts.exhaustive);
  out["random_overlap"] =
      counts.exhaustive.empty()
          ? nlohmann::json()
          : nlohmann::json(profile::random_overlap(counts.exhaustive, counts.collected.total()));
  const auto invariance = profile::invariance_error(counts.exhaustive, counts.collected);
  out["invariance_error"] = invariance ? nlohmann::json(invariance->error) : nlohmann::json();
  out["events"] = counts.collected.total();
  out["exhaustive_events"] = counts.exhaustive.total();
  return out;
}

nlohmann::json stores_json(const profile::Profile& stores) {
  return {{"events", stores.total()}, {"tuples", stores.size()}};
}

template <class Write>
std::string text_of(Write write) {
  std::ostringstream out;
  write(out);
  return out.str();
}

void put_table(const std::string& stem, const profile::Profile& profile,
               const profile::ProgramNames& names, std::vector<NamedText>& files) {
  files.emplace_back(stem + ".csv", text_of([&](std::ostream& out) {
                       profile::write_csv(profile, out, names.symbol_of);
                     }));
}

void put_calls(const std::string& stem, const profile::Profile& profile,
               const profile::ProgramNames& names, std::vector<NamedText>& files) {
  put_table(stem, profile, names, files);
  files.emplace_back(stem + ".json", text_of([&](std::ostream& out) {
                       profile::write_calls_json(profile, out, names);
                     }));
}

}  // namespace

HandlerReport::HandlerReport(const platform::HandlersOutcome& outcome,
                             profile::FunctionOf function_of, std::string stem)
    : outcome_(outcome), function_of_(std::move(function_of)), stem_(std::move(stem)) {
  if (!outcome.streams) return;
  for (const auto& [name, detector] : {std::pair("subpaths", profile::StreamDetector::kSubpaths),
                                       std::pair("symbols", profile::StreamDetector::kSymbols)}) {
    streams_.emplace_back(name,
                          Streams{profile::stream_profile(outcome.streams->collected, detector),
                                  profile::stream_profile(outcome.streams->exhaustive, detector)});
  }
}

nlohmann::json HandlerReport::json() const {
  nlohmann::json out;
  out["handlers"] = nlohmann::json::object();
  for (const platform::HandlerOutcome& handler : outcome_.handlers) {
    out["handlers"][handler.name] = handler.bytes;
  }
  out["lost"] = outcome_.lost;
  out["registers"] = outcome_.registers;
  if (outcome_.streams) out["hot_streams"] = streams_json();
  if (outcome_.call_pairs) out["call_pairs"] = calls_json(*outcome_.call_pairs);
  if (outcome_.methods) out["methods"] = calls_json(*outcome_.methods);
  if (outcome_.edges) out["edges"] = counts_json(*outcome_.edges);
  if (outcome_.values) out["values"] = counts_json(*outcome_.values);
  if (outcome_.sandbox) out["sandbox"] = stores_json(*outcome_.sandbox);
  if (outcome_.watchpoint) out["watchpoint"] = stores_json(*outcome_.watchpoint);
  return out;
}

nlohmann::json HandlerReport::streams_json() const {
  const platform::StreamsOutcome& streams = *outcome_.streams;
  nlohmann::json out;
  out["references"] = streams.collected.references();
  out["bursts"] = streams.bursts;
  out["dropped"] = streams.dropped;
  out["exhaustive_references"] = streams.exhaustive.references();
  out["exhaustive_dropped"] = streams.exhaustive.dropped();
  for (const auto& [name, found] : streams_) {
    const auto& [collected, exhaustive] = found;
    const bool any = !exhaustive.streams.empty();
    nlohmann::json& detector = out[name];
    detector["streams"] = collected.streams.size();
    detector["exhaustive_streams"] = exhaustive.streams.size();
    detector["coverage"] = ratio_or_null(collected.covered(), collected.references);
    detector["exhaustive_coverage"] = ratio_or_null(exhaustive.covered(), exhaustive.references);
    detector["overlap"] =
        any ? nlohmann::json(profile::overlap(exhaustive, collected)) : nlohmann::json();
    detector["exact_overlap"] =
        any ? nlohmann::json(profile::exact_overlap(exhaustive, collected)) : nlohmann::json();
  }
  return out;
}

nlohmann::json HandlerReport::calls_json(const platform::CallsOutcome& calls) const {
  nlohmann::json out = counts_json(calls);
  out["functions"] = calls_accuracy(profile::by_function(calls.collected, function_of_),
                                    profile::by_function(calls.exhaustive, function_of_));
  return out;
}

std::vector<NamedText> HandlerReport::files(const profile::ProgramNames& names,
                                            bool with_exhaustive) const {
  std::vector<NamedText> files;
  for (const auto& [name, found] : streams_) {
    const std::string stem = stem_ + ".streams." + name;
    const profile::StreamProfile& streams = found.collected;
    files.emplace_back(stem + ".txt", text_of([&](std::ostream& out) {
                         profile::write_streams_text(streams, out, names);
                       }));
    files.emplace_back(stem + ".json", text_of([&](std::ostream& out) {
                         profile::write_streams_json(streams, out, names);
                       }));
  }
  const auto table = [&](const char* name, const profile::Profile& counts) {
    put_table(stem_ + name, counts, names, files);
  };
  const auto exhaustive = [&](const char* name, const platform::CallsOutcome& outcome) {
    if (with_exhaustive) {
      put_table(exhaustive_file_name(stem_ + name), outcome.exhaustive, names, files);
    }
  };
  const auto calls = [&](const char* name, const std::optional<platform::CallsOutcome>& outcome) {
    if (!outcome) return;
    put_calls(stem_ + name, outcome->collected, names, files);
    exhaustive(name, *outcome);
  };
  const auto counts = [&](const char* name, const std::optional<platform::CallsOutcome>& outcome) {
    if (!outcome) return;
    table(name, outcome->collected);
    exhaustive(name, *outcome);
  };
  calls(".call_pairs", outcome_.call_pairs);
  calls(".methods", outcome_.methods);
  counts(".edges", outcome_.edges);
  counts(".values", outcome_.values);
  if (outcome_.sandbox) table(".sandbox", *outcome_.sandbox);
  if (outcome_.watchpoint) table(".watchpoint", *outcome_.watchpoint);
  return files;
}

}  // namespace strobe::result
