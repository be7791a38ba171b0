#include "sw/result/result_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sw/result/number_text.h"
#include "sw/result/truth_table.h"
#include "sw/result/warnings.h"
#include "sw/text/shown.h"

namespace strobe::result {
namespace {

using nlohmann::json;
using Row = std::vector<std::string>;

std::string decimals(const json& number) {
  return number.is_null() ? "-" : fmt::format("{:.4f}", number.get<double>());
}

std::string outcome(const json& result) {
  const std::string end = text(result, "end");
  if (end == "exited") return fmt::format("exited with {}", result.at("exit_code").get<int>());
  if (end == "region") return "reached the end of its region";
  const std::string error = result.at("error").is_null() ? "" : ": " + text(result, "error");
  if (end == "limit") return "stopped at its limit" + error;
  return (end == "deadlock" ? "deadlocked" : "failed") + error;
}

/// The classes of the CPI stack that are at least 0.5 % of the cycles, the five largest, on one
/// line.
std::string cpi_line(const json& counters) {
  const std::string prefix = counters.contains("core.cpi.base") ? "core.cpi." : "core0.cpi.";
  std::vector<std::pair<uint64_t, std::string>> classes;
  uint64_t cycles = 0;
  for (const auto& [name, value] : counters.items()) {
    if (name.rfind(prefix, 0) != 0) continue;
    classes.emplace_back(value.get<uint64_t>(), name.substr(prefix.size()));
    cycles += classes.back().first;
  }
  if (cycles == 0) return "";
  std::sort(classes.begin(), classes.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  constexpr size_t kMost = 5;
  if (classes.size() > kMost) classes.resize(kMost);
  std::string out;
  for (const auto& [count, name] : classes) {
    const double share = 100 * static_cast<double>(count) / static_cast<double>(cycles);
    if (share < 0.5) break;
    out += fmt::format("{}{} {:.0f} %", out.empty() ? "" : ", ", name, share);
  }
  return "CPI stack     " + out + "\n";
}

/// How sure the estimates of a sampled run are: half-widths, of the cycles relative.
std::string sampling_line(const json& result, const json& sampling) {
  const auto with = [](const json& half_width, double scale) {
    return half_width.is_null() ? std::string("?")
                                : fmt::format("{:.2f} %", 100 * half_width.get<double>() / scale);
  };
  std::string out = fmt::format(
      "estimated     from the first {} instructions and {} units of {}: cycles +-{}",
      grouped(whole(sampling, "start")), grouped(whole(sampling, "units")), whole(sampling, "unit"),
      with(sampling.at("cycles_half_width"), static_cast<double>(whole(result, "cycles"))));
  if (!result.at("overhead_measured").is_null()) {
    out += fmt::format(", overhead +-{}", with(sampling.at("overhead_half_width"), 1));
  }
  return out +
         fmt::format(" at {:.1f} % confidence\n", 100 * sampling.at("confidence").get<double>());
}

std::string header_block(const json& result) {
  std::string out = fmt::format("program       {} ({} on {}), {}\n", text(result, "workload"),
                                text(result, "mode"), text(result, "core"), outcome(result));
  out += fmt::format("instructions  {}, and {} of firmware and handlers\n",
                     grouped(whole(result, "instructions")),
                     grouped(whole(result, "machine_instructions")));
  if (whole(result, "cycles") > 0) {
    out += fmt::format("cycles        {}, IPC {:.3f}\n", grouped(whole(result, "cycles")),
                       result.at("ipc").get<double>());
  }
  const json& sampling = result.at("sampling");
  if (!sampling.is_null()) out += sampling_line(result, sampling);
  out += cpi_line(result.at("counters"));
  if (!result.at("overhead_measured").is_null()) {
    out += fmt::format(
        "overhead      {} measured against {} baseline cycles; {} by the analytical model\n",
        percent(result.at("overhead_measured")), grouped(whole(result, "baseline_cycles")),
        percent(result.at("overhead_analytical")));
  }
  return out;
}

/// The same of ephemeral instrumentation.
std::string ephemeral_lines(const json& instrument) {
  std::string out = fmt::format(
      "instrumented  ephemeral, persistence {}; {} branches, code {:.2f} times as large\n",
      whole(instrument, "persistence"), grouped(whole(instrument, "branches")),
      instrument.at("code_growth").get<double>());
  out += fmt::format(
      "events        {} of {} ({}) of {} of {} executed branches; bias error {}\n",
      grouped(whole(instrument, "events")), grouped(whole(instrument, "exhaustive_events")),
      percent(instrument.at("share")), grouped(whole(instrument, "recorded_branches")),
      grouped(whole(instrument, "executed_branches")), decimals(instrument.at("bias_error")));
  if (instrument.contains("epochs")) {
    out += fmt::format(
        "epochs        {} ended, {} branches hooked again, handler at most {} "
        "cycles\n",
        grouped(whole(instrument, "epochs")), grouped(whole(instrument, "hooked")),
        grouped(whole(instrument, "longest_handler")));
  }
  return out;
}

/// The same of software signals.
std::string signals_lines(const json& instrument) {
  std::string out = fmt::format(
      "instrumented  signals of {} functions and {} loops; code {:.2f} times as large\n",
      grouped(whole(instrument, "functions")), grouped(whole(instrument, "loops")),
      instrument.at("code_growth").get<double>());
  for (const auto& [key, name] :
       {std::pair("method_writes", "method word"), std::pair("loop_writes", "loop word")}) {
    if (instrument.at(key).is_null()) continue;
    out += fmt::format("{:<14}written {} times\n", name, grouped(whole(instrument, key)));
  }
  return out;
}

/// What was linked into the program, and what it did.
std::string instrument_lines(const json& instrument) {
  if (instrument.at("kind") == "ephemeral") return ephemeral_lines(instrument);
  if (instrument.at("kind") == "signals") return signals_lines(instrument);
  const json& burst = instrument.at("burst_events");
  std::string out = fmt::format(
      "instrumented  {} {}, {}:{}; {} functions, {} checks, code {:.2f} times as large\n",
      text(instrument, "kind"), text(instrument, "variant"), whole(instrument, "n_check0"),
      whole(instrument, "n_instr0"), grouped(whole(instrument, "functions")),
      grouped(whole(instrument, "entry_checks") + whole(instrument, "loop_checks")),
      instrument.at("code_growth").get<double>());
  out += fmt::format("events        {} of {} ({}, expected {}), {} dropped; {} bursts",
                     grouped(whole(instrument, "events")),
                     grouped(whole(instrument, "exhaustive_events")),
                     percent(instrument.at("share")), percent(instrument.at("expected_share")),
                     grouped(whole(instrument, "dropped")), grouped(whole(instrument, "bursts")));
  if (!burst.is_null()) {
    out += fmt::format(" of {} to {} events, half at most {}", grouped(whole(burst, "least")),
                       grouped(whole(burst, "most")), grouped(whole(burst, "p50")));
  }
  return out + fmt::format("\nreturns       {} of {} led into the other copy\n",
                           grouped(whole(instrument, "accidental_transitions")),
                           grouped(whole(instrument, "returns")));
}

/// What the handlers of the decode engine or the program itself collected, a line a profile.
std::string handler_lines(const json& profile) {
  std::string out;
  for (const auto& [key, name] :
       {std::pair("call_pairs", "call pairs"), std::pair("methods", "methods")}) {
    if (!profile.contains(key)) continue;
    const json &calls = profile.at(key), &functions = calls.at("functions");
    out += fmt::format("{:<14}{} of {} events, overlap {}, by function {}\n", name,
                       grouped(whole(calls, "events")), grouped(whole(calls, "exhaustive_events")),
                       decimals(calls.at("overlap")), decimals(functions.at("overlap")));
  }
  for (const auto& [key, name] : {std::pair("edges", "edges"), std::pair("values", "values")}) {
    if (!profile.contains(key)) continue;
    const json& counts = profile.at(key);
    out +=
        fmt::format("{:<14}{} of {} events, overlap {}, at 90 % {}\n", name,
                    grouped(whole(counts, "events")), grouped(whole(counts, "exhaustive_events")),
                    decimals(counts.at("overlap")), decimals(counts.at("overlap_90")));
  }
  if (!profile.contains("hot_streams")) return out;
  const json& streams = profile.at("hot_streams");
  out += fmt::format("hot streams   {} of {} references in {} bursts, {} dropped",
                     grouped(whole(streams, "references")),
                     grouped(whole(streams, "exhaustive_references")),
                     grouped(whole(streams, "bursts")), grouped(whole(streams, "dropped")));
  for (const char* detector : {"subpaths", "symbols"}) {
    out += fmt::format("; {}: overlap {}, exact {}", detector,
                       decimals(streams.at(detector).at("overlap")),
                       decimals(streams.at(detector).at("exact_overlap")));
  }
  return out + "\n";
}

/// The overhead metric of message passing: is there time for a message before the next one comes.
std::string ring_line(const json& ring) {
  const json &interval = ring.at("interval"), &service = ring.at("service");
  if (interval.at("mean").is_null() || service.at("mean").is_null()) return "";
  return fmt::format(
      "  ring: a message every {:.0f} cycles (half within {}), {:.0f} to serve one; the service "
      "core "
      "works {:.1f} % of the time, at most {} of {} records waited\n",
      interval.at("mean").get<double>(), whole(interval, "p50"), service.at("mean").get<double>(),
      100 * ring.at("utilisation").get<double>(), whole(ring, "high_water"),
      whole(ring, "entries"));
}

/// What the observer thread has seen, and how far from the truth it was.
std::string shim_lines(const json& shim) {
  const json &rates = shim.at("rates"), &truth = shim.at("truth"), &tags = shim.at("tags");
  std::string out = fmt::format("observer      {}, {} samples", text(shim, "where"),
                                grouped(whole(shim, "samples")));
  if (!shim.at("mean_period").is_null()) {
    out += fmt::format(", one every {:.0f} cycles", shim.at("mean_period").get<double>());
  }
  if (whole(shim, "dropped") != 0) {
    out += fmt::format("; {} of them dropped", grouped(whole(shim, "dropped")));
  }
  out += "\n";
  if (!rates.is_null()) {
    out += fmt::format(
        "rates         of {}: {} kept by double-time error correction, {} of them "
        "impossible\n",
        text(rates, "counter"), percent(rates.at("kept_share")),
        grouped(whole(rates, "impossible_kept")));
  }
  if (!truth.is_null()) {
    out += fmt::format(
        "truth         rate off by {} on average, distribution by {}; correction: "
        "precision {}, recall {}\n",
        decimals(truth.at("rate_error_kept")), decimals(truth.at("distance_kept")),
        percent(truth.at("dte_precision")), percent(truth.at("dte_recall")));
  }
  if (!tags.is_null()) {
    out += fmt::format(
        "tags          {} values of {}; {} of the cycles under another value than in "
        "truth\n",
        grouped(whole(tags, "values")), text(tags, "signal"), percent(tags.at("error")));
  }
  return out;
}

std::string conservation_lines(const json& profilers) {
  std::string out;
  for (const json& profiler : profilers) {
    if (profiler.at("conserved").is_null()) continue;
    const json ring = profiler.value("ring", json());
    const bool overwrites = !ring.is_null() && whole(ring, "overwritten_counts") != 0;
    out +=
        fmt::format("{}: events = message counts + residue + dropped{}: {} = {} + {} + {}{}  {}\n",
                    text(profiler, "name"), overwrites ? " + overwritten" : "",
                    grouped(whole(profiler, "events")), grouped(whole(profiler, "message_counts")),
                    grouped(whole(profiler, "residue")), grouped(whole(profiler, "dropped")),
                    overwrites ? " + " + grouped(whole(ring, "overwritten_counts")) : "",
                    profiler.at("conserved").get<bool>() ? "ok" : "NOT CONSERVED");
    if (!ring.is_null()) out += ring_line(ring);
  }
  return out.empty() ? out : out + "\n";
}

void put_accuracy(Row& row, const json& object) {
  row.push_back(decimals(object.at("overlap")));
  row.push_back(decimals(object.at("overlap_90")));
  row.push_back(decimals(object.at("invariance_error")));
}

/// A message for each event, to an observer: that is the exact profile, and no hardware to be paid.
bool is_exact(const json& profiler) {
  return !profiler.at("active").get<bool>() && whole(profiler, "events") != 0 &&
         profiler.at("messages") == profiler.at("events");
}

std::vector<Row> profiler_rows(const json& profilers) {
  std::vector<Row> rows{{"profiler", "kind", "fidelity", "events", "messages", "dropped", "overlap",
                         "at 90 %", "inv.err", "bits", "analytic"}};
  for (const json& profiler : profilers) {
    Row row{text(profiler, "name") + (profiler.at("active").get<bool>() ? " *" : ""),
            text(profiler, "kind"),
            text(profiler, "fidelity"),
            compact(whole(profiler, "events")),
            compact(whole(profiler, "messages")),
            compact(whole(profiler, "dropped"))};
    put_accuracy(row, profiler);
    row.push_back(compact(whole(profiler, "storage_bits")));
    row.push_back(is_exact(profiler) ? "exact" : percent(profiler.at("overhead_analytical")));
    rows.push_back(row);
    for (const auto& [tag, part] : profiler.at("tags").items()) {
      Row tag_row{"  " + tag, text(part, "profile"), "", compact(whole(part, "events")), "", ""};
      put_accuracy(tag_row, part);
      rows.push_back(tag_row);
    }
  }
  return rows;
}

/// The first three columns to the left, numbers to the right, no blanks at the end of a line.
std::string aligned(const std::vector<Row>& rows) {
  constexpr size_t kLeftColumns = 3;
  std::vector<size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += i < kLeftColumns ? "  " : " ";
      line += i < kLeftColumns ? fmt::format("{:<{}}", row[i], widths[i])
                               : fmt::format("{:>{}}", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string timer_line(const json& timer) {
  if (timer.at("samples").is_null()) return "";
  std::string line = fmt::format("timer         {} samples, one in {} cycles",
                                 grouped(whole(timer, "samples")), grouped(whole(timer, "period")));
  if (!timer.at("error_by_function").is_null()) {
    line += fmt::format("; {} of the cycles are in a wrong function",
                        percent(timer.at("error_by_function")));
  }
  return line + "\n";
}

}  // namespace

std::string result_table(const json& result) {
  const json& profilers = result.at("profilers");
  std::string out = header_block(result);
  if (result.contains("instrument")) out += instrument_lines(result.at("instrument"));
  if (result.contains("shim")) out += shim_lines(result.at("shim"));
  if (!result.at("profile").is_null()) out += handler_lines(result.at("profile"));
  if (result.contains("timer")) out += timer_line(result.at("timer"));
  if (result.contains("truth")) out += "\n" + truth_table(result.at("truth"));
  for (const std::string& warning : warnings(result))
    out += "warning: " + text::one_line(warning) + "\n";
  if (profilers.empty()) return out;
  out += "\n" + conservation_lines(profilers) + aligned(profiler_rows(profilers));
  const bool any_active = std::any_of(profilers.begin(), profilers.end(), [](const json& profiler) {
    return profiler.at("active").get<bool>();
  });
  if (any_active) out += "* active: its overhead is part of the run; the others only observe\n";
  return out +
         "overlap, at 90 %: 1 where the profile is exact; inv.err: 0 where it is; bits: storage\n"
         "analytic: overhead by the analytical model (docs/metrics.md), not measured\n";
}

}  // namespace strobe::result
