#include "sw/result/accuracy_by_kind.h"

#include <string>
#include <utility>

namespace strobe::result {
namespace {

using nlohmann::json;

/// What a selector's profile is called here; "" for one that is no kind of its own.
std::string kind_of(const std::string& profile) {
  if (profile == "edge") return "edges";
  if (profile == "value") return "values";
  return profile == "call_target" ? "call_pairs" : "";
}

void add(const std::string& kind, const json& scores, const std::string& from, json* out) {
  if (kind.empty() || out->contains(kind) || !scores.contains("overlap")) return;
  (*out)[kind] = {{"overlap", scores.at("overlap")},
                  {"overlap_90", scores.value("overlap_90", json())},
                  {"invariance_error", scores.value("invariance_error", json())},
                  {"from", from}};
}

void add_profilers(const json& profilers, bool active, json* out) {
  for (const json& profiler : profilers) {
    if (profiler.value("active", false) != active || !profiler.contains("tags")) continue;
    for (const json& tag : profiler.at("tags")) {
      add(kind_of(tag.at("profile")), tag, profiler.at("name"), out);
    }
  }
}

}  // namespace

json accuracy_by_kind(const json& result) {
  json out = json::object();
  const json& collected = result.at("profile");
  if (collected.is_object()) {
    for (const char* kind : {"edges", "values", "call_pairs", "methods"}) {
      if (collected.contains(kind)) add(kind, collected.at(kind), "handlers", &out);
    }
    if (collected.contains("hot_streams")) {
      add("hot_streams", collected.at("hot_streams").value("subpaths", json::object()), "handlers",
          &out);
    }
  }
  for (const bool active : {true, false}) add_profilers(result.at("profilers"), active, &out);
  return out;
}

}  // namespace strobe::result
