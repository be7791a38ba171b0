#include "sw/result/warnings.h"

#include <fmt/format.h>

#include <cstdint>

#include "sw/profile/accuracy/ratio.h"
#include "sw/profile/streams/hot_streams.h"
#include "sw/result/number_text.h"

namespace strobe::result {
namespace {

using nlohmann::json;
using Sentences = std::vector<std::string>;

std::string times(uint64_t count) {
  return count == 1 ? "once" : fmt::format("{} times", grouped(count));
}

/// Most figures of a program that gave up early say little about it.
void exit_code(const json& result, Sentences* out) {
  if (text(result, "end") != "exited" || result.at("exit_code").get<int>() == 0) return;
  out->push_back(
      fmt::format("the program exited with code {}, so it may have failed; look at stderr.txt of "
                  "the result",
                  result.at("exit_code").get<int>()));
}

/// A program that was kept from a file may have gone on with less than it wanted.
void refusals(const json& sandbox, Sentences* out) {
  const uint64_t refused = whole(sandbox, "refused");
  if (refused == 0) return;
  const json& first = sandbox.at("first").at(0);
  out->push_back(fmt::format(
      "the sandbox refused {} call{} that name{} a path; the first: {} {} ({})", grouped(refused),
      refused == 1 ? "" : "s", refused == 1 ? "s" : "", text(first, "call"), text(first, "path"),
      first.at("key").is_null() ? std::string("no key of the run file allows it")
                                : text(first, "key") + " would allow it"));
}

/// A program that was told ENOSYS may have gone another way than on Linux.
void unsupported_calls(const json& result, Sentences* out) {
  if (!result.contains("unsupported_calls")) return;
  const json& calls = result.at("unsupported_calls");
  std::string numbers;
  uint64_t named = 0;
  for (const json& call : calls.at("first")) {
    const std::string name =
        call.at("name").is_null() ? "not known to Linux 6.1" : text(call, "name");
    numbers += fmt::format("{}{} ({}) {}", numbers.empty() ? "" : ", ", whole(call, "number"), name,
                           times(whole(call, "count")));
    named += whole(call, "count");
  }
  if (named < whole(calls, "count")) {
    numbers += fmt::format(", others {}", times(whole(calls, "count") - named));
  }
  out->push_back(fmt::format(
      "the program made system calls that the proxy does not have and that answered ENOSYS: {}; "
      "docs/linux-proxy.md lists what it has",
      numbers));
}

/// A program that looks at its own code finds that of the instrumentation there.
void code_accesses(const json& accesses, Sentences* out) {
  if (accesses.empty()) return;
  const json& first = accesses.at(0);
  out->push_back(fmt::format(
      "the program {} its own code, in {} place{}; the first: {} times at {} in {}, the "
      "branch at {}; it sees the jumps of the instrumentation, so it may compute something else",
      first.at("writes").get<bool>() ? "writes" : "reads", accesses.size(),
      accesses.size() == 1 ? "" : "s", grouped(whole(first, "count")), text(first, "pc"),
      text(first, "place"), text(first, "branch")));
}

void few_events(uint64_t events, const std::string& collected, Sentences* out) {
  if (events >= kFewEvents) return;
  out->push_back(
      fmt::format("{}, fewer than {}: what the profile says is chance; run longer or sample "
                  "more often",
                  collected, kFewEvents));
}

/// Samples at a fixed distance meet a loop whose number of events divides it in the same place
/// again and again.
void in_step(const json& accuracy, uint64_t samples, const std::string& name, const char* remedy,
             Sentences* out) {
  if (samples < kFewEvents || accuracy.value("random_overlap", json()).is_null()) return;
  const auto overlap = accuracy.at("overlap").get<double>();
  const auto by_chance = accuracy.at("random_overlap").get<double>();
  if (1 - overlap < kFarOff || 1 - overlap < kBeyondChance * (1 - by_chance)) return;
  out->push_back(fmt::format(
      "{} overlap {} with the program's, where as many random samples would {}: the samples are in "
      "step with a loop, or bunched in long bursts; {}",
      name, percent(overlap), percent(by_chance), remedy));
}

void profiler_events(const json& profiler, Sentences* out) {
  const std::string name = text(profiler, "name");
  const uint64_t events = whole(profiler, "events"), messages = whole(profiler, "messages");
  const uint64_t dropped = whole(profiler, "dropped");
  if (events == 0) {
    out->push_back(
        fmt::format("{} counted no event: the program has none that its selectors take", name));
    return;
  }
  few_events(messages, fmt::format("{} has {} message{}", name, messages, messages == 1 ? "" : "s"),
             out);
  const double share = static_cast<double>(dropped) / static_cast<double>(events);
  if (share > kManyDropped) {
    out->push_back(fmt::format(
        "{} dropped {} of its events, in phases that have many of them: its profile is of the "
        "others; a deeper queue (queue_depth) or more banks lose fewer",
        name, percent(share)));
    return;
  }
  in_step(profiler, messages, "the messages of " + name,
          "another rate, or a sampler that is not periodic, shows it", out);
}

/// A passive profiler has no queue, so it sees what an active one beside it drops.
void unequal_queues(const json& profilers, Sentences* out) {
  std::vector<std::string> passive;
  for (const json& profiler : profilers) {
    if (!profiler.at("active").get<bool>() && whole(profiler, "events") != 0)
      passive.push_back(text(profiler, "name"));
  }
  if (passive.empty()) return;
  for (const json& profiler : profilers) {
    const double share = profile::ratio(whole(profiler, "dropped"), whole(profiler, "events"));
    if (!profiler.at("active").get<bool>() || share <= kManyDropped) continue;
    out->push_back(fmt::format(
        "{} {} no queue and see{} the events that {} dropped ({}): the profiles are of different "
        "events, so their overlaps do not compare the samplers; make each the active one of a run",
        fmt::join(passive, ", "), passive.size() == 1 ? "has" : "have",
        passive.size() == 1 ? "s" : "", text(profiler, "name"), percent(share)));
  }
}

/// What software collected, without a profiler.
void collected_events(const json& profile, Sentences* out) {
  for (const auto& [key, name] :
       {std::pair("call_pairs", "call pairs"), std::pair("methods", "methods"),
        std::pair("edges", "branch edges"), std::pair("values", "values")}) {
    if (!profile.contains(key)) continue;
    const uint64_t events = whole(profile.at(key), "events");
    few_events(events, fmt::format("{} {} were collected", grouped(events), name), out);
  }
  // Bursts of the decode engine collect these; instrumentation collects the others.
  for (const auto& [key, name] :
       {std::pair("call_pairs", "call pairs"), std::pair("methods", "methods")}) {
    if (!profile.contains(key)) continue;
    in_step(profile.at(key), whole(profile.at(key), "events"),
            fmt::format("the collected {}", name),
            "decode.jitter: 4 lets the distance between bursts vary", out);
  }
  if (!profile.contains("hot_streams")) return;
  const json& streams = profile.at("hot_streams");
  const uint64_t references = whole(streams, "references"), bursts = whole(streams, "bursts");
  few_events(references, fmt::format("{} data references were collected", references), out);
  constexpr uint64_t kShortest = profile::StreamLengths{}.min;
  if (bursts > 0 && references < kShortest * bursts) {
    out->push_back(fmt::format(
        "a burst has {:.1f} references on average, fewer than the shortest hot stream, which has "
        "{}: streams cannot be seen in it; make the bursts longer",
        static_cast<double>(references) / static_cast<double>(bursts), kShortest));
  }
}

/// A pipeline view or waveforms of cycles that the run did not have.
void trace_window(const json& trace, Sentences* out) {
  if (trace.is_null() || whole(trace, "from") < whole(trace, "end")) return;
  out->push_back(
      fmt::format("the trace is empty: its window begins at cycle {} (trace.from), and the run "
                  "ended at cycle {}",
                  grouped(whole(trace, "from")), grouped(whole(trace, "end"))));
}

/// A timeline whose window ends before the region, or has more than its file takes.
void timeline(const json& trace, Sentences* out) {
  if (trace.is_null() || trace.value("timeline", json()).is_null()) return;
  const json& timeline = trace.at("timeline");
  if (whole(trace, "to") <= whole(timeline, "begin")) {
    out->push_back(fmt::format(
        "the timeline is empty: its window ends at cycle {} (trace.to), and the region of interest "
        "begins at cycle {}",
        grouped(whole(trace, "to")), grouped(whole(timeline, "begin"))));
  }
  const uint64_t left_out = whole(timeline, "left_out");
  if (left_out == 0) return;
  out->push_back(
      fmt::format("the timeline lacks its last {} records: it has the first {}; narrow its window "
                  "(trace.from, trace.to)",
                  grouped(left_out), grouped(whole(timeline, "records"))));
}

}  // namespace

std::vector<std::string> warnings(const json& result) {
  Sentences out;
  exit_code(result, &out);
  refusals(result.at("sandbox"), &out);
  unsupported_calls(result, &out);
  for (const json& call : result.value("suspect_calls", json::array())) {
    out.push_back("in the program: " + call.get<std::string>());
  }
  if (result.contains("instrument") && result.at("instrument").contains("code_accesses")) {
    code_accesses(result.at("instrument").at("code_accesses"), &out);
  }
  if (!result.at("profile").is_null()) collected_events(result.at("profile"), &out);
  for (const json& profiler : result.at("profilers")) profiler_events(profiler, &out);
  unequal_queues(result.at("profilers"), &out);
  trace_window(result.value("trace", json()), &out);
  timeline(result.value("trace", json()), &out);
  return out;
}

}  // namespace strobe::result
