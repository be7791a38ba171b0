// The same optimizer fed by every profiler of the platform.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "sw/reproduce/ephemeral/ephemeral_limits.h"
#include "sw/reproduce/ephemeral/ephemeral_means.h"

namespace strobe::reproduce::ephemeral {
namespace {

std::vector<double> gains(const std::vector<Profilers>& programs, size_t i) {
  return of_all(programs, [i](const Profilers& p) { return p.gain(p.by[i].test_cycles); });
}

/// The share of the mean gain by the complete profile; empty: that has none.
std::optional<double> kept(const std::vector<Profilers>& programs, size_t i) {
  const double complete = mean_percent(gains(programs, kComplete));
  if (complete <= 0) return std::nullopt;
  return mean_percent(gains(programs, i)) / complete;
}

std::string area_of(const ProfilerKind& kind, const std::map<std::string, double>& areas) {
  if (kind.configuration == nullptr) return "-";
  return fmt::format("{:.1f} kGE", areas.at(kind.configuration) / 1000);
}

Table profilers_table(const std::vector<Profilers>& programs,
                      const std::map<std::string, double>& areas) {
  Table table{
      "Means over the programs: overhead of the training run, overlap of its profile with that of "
      "all branches, normalized cycles of the optimized program, share of the complete profile's "
      "mean gain; hardware, without the decode engine that HPS needs",
      {"profiler", "setting", "overhead", "overlap", "cycles", "gain kept", "area"},
      {}};
  for (size_t i = 0; i < kProfilers; ++i) {
    const ProfilerKind& kind = kProfilerKinds[i];
    const std::optional<double> share = kept(programs, i);
    table.rows.push_back({kind.name, kind.what, percent_interval(overheads_of(programs, by(i))),
                          percent_interval(overlaps_of(programs, by(i))),
                          percent_interval(normalized_by(programs, by(i))),
                          share ? fmt::format("{:.0f} %", 100 * *share) : "-",
                          area_of(kind, areas)});
  }
  return table;
}

Table programs_table(const std::vector<Profilers>& programs) {
  Table table{"Normalized cycles by program", {"program"}, {}};
  for (const ProfilerKind& kind : kProfilerKinds) table.header.emplace_back(kind.name);
  for (const Profilers& program : programs) {
    std::vector<std::string> cells = {program.name};
    for (const Trained& one : program.by) {
      cells.push_back(percent(program.normalized(one.test_cycles)));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table overheads_table(const std::vector<Profilers>& programs) {
  Table table{"Overhead by program", {"program"}, {}};
  for (const ProfilerKind& kind : kProfilerKinds) table.header.emplace_back(kind.name);
  for (const Profilers& program : programs) {
    std::vector<std::string> cells = {program.name};
    for (const Trained& one : program.by) cells.push_back(percent(program.overhead(one)));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Figure figure_of(const std::vector<Profilers>& programs) {
  Figure figure{"ephemeral-profilers",
                "What a profile saves against what it costs, means of the programs",
                "overhead, %",
                "saving of cycles, %",
                {}};
  for (size_t i = 0; i < kProfilers; ++i) {
    Curve curve{kProfilerKinds[i].name, {}, report::Stroke::kDiamonds};
    curve.points.emplace_back(mean_percent(overheads_of(programs, by(i))),
                              mean_percent(gains(programs, i)));
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

/// Linear in the gains, so that a program without one does not decide: gain - 0.9 x that of the
/// complete profile is at least 0.
Claim claim_kept(const std::vector<Profilers>& programs, size_t i) {
  const std::vector<double> complete = gains(programs, kComplete);
  std::vector<double> rest = gains(programs, i);
  for (size_t p = 0; p < rest.size(); ++p) rest[p] -= kKept * complete[p];
  Claim claim = claim_by_interval(
      fmt::format("{}keeps {:.0f} % of the complete profile's gain: the rest is not below 0",
                  i == kEphemeral ? "ephemeral profiles are as useful: ephemeral "
                                  : fmt::format("(our own question) {} ", kProfilerKinds[i].name),
                  100 * kKept),
      rest, 0, kUnbounded,
      fmt::format("the complete profile gains {}", percent_interval(complete)));
  // Nothing can be kept of a gain that may be none.
  const Claim gained = claim_by_interval("", complete, 0, kUnbounded, "");
  if (gained.holds) return claim;
  claim.holds = false;
  claim.undecided = true;
  claim.why = fmt::format("the complete profile gains {}", percent_interval(complete));
  return claim;
}

}  // namespace

Reproduction profilers(const std::vector<Profilers>& programs,
                       const std::map<std::string, double>& areas) {
  Reproduction result;
  result.name = "ephemeral-profilers";
  result.title = "One optimizer, every profiler";
  result.figures.push_back(figure_of(programs));
  result.tables = {profilers_table(programs, areas), programs_table(programs),
                   overheads_table(programs)};
  for (size_t i = kComplete + 1; i < kProfilers; ++i) {
    result.claims.push_back(claim_kept(programs, i));
  }
  result.claims.push_back(claim_by_interval(
      "complete profiles by instrumentation cost 16.3 to 52.8 %",
      overheads_of(programs, by(kComplete)), kLeastComplete, kMostComplete,
      "a stub executes nine instructions for each branch, where QPT and PP increment a counter on "
      "the fewest edges"));
  for (const size_t other : {kStratified, kRandom}) {
    result.claims.push_back(claim_by_interval(
        fmt::format("the overhead is comparable to sampling by hardware: at most 1 point above {}",
                    kProfilerKinds[other].name),
        differences(overheads_of(programs, by(kEphemeral)), overheads_of(programs, by(other))),
        -kUnbounded, kPoint,
        "the cost of a hooked branch grows with the branches of a program, that of a message does "
        "not"));
  }
  return result;
}

}  // namespace strobe::reproduce::ephemeral
