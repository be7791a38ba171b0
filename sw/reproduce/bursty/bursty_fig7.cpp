// Figure 7: the quality of sampled hot data streams against nCheck0 : nInstr0; what sampling costs.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sw/reproduce/bursty/bursty.h"
#include "sw/reproduce/limits.h"
#include "sw/reproduce/spread.h"

namespace strobe::reproduce::bursty {
namespace {

constexpr const Limit &kBetter = limit("bursty-more"), &kEquation = limit("bursty-equation"),
                      &kReturns = limit("bursty-returns");

std::vector<double> overlaps(const std::vector<Settings>& programs, size_t setting) {
  return of_all(programs, [=](const Settings& program) { return program.quality[setting].exact; });
}

std::vector<double> better(const std::vector<Settings>& programs, size_t one, size_t other) {
  return of_all(programs, [=](const Settings& program) {
    return program.quality[one].exact - program.quality[other].exact;
  });
}

double measured(const Settings& program, size_t setting) {
  return program.cost[setting].overhead(program.original);
}

/// Equation 4.
double predicted(const Settings& program, size_t setting) {
  const double checking = program.checking.overhead(program.original);
  const double instrumented = program.instrumented.overhead(program.original);
  return checking + kSettings[setting].rate() * (instrumented - checking);
}

Table quality_table(const std::vector<Settings>& programs) {
  Table table{
      "Overlap of the hot data streams (equation 5); means also of those that the symbols detector "
      "finds, and "
      "of pairs of successive references",
      {"program"},
      {}};
  for (const Setting& setting : kSettings) table.header.push_back(setting.text());
  for (const Settings& program : programs) {
    std::vector<std::string> cells = {program.program};
    for (const Quality& quality : program.quality) cells.push_back(percent(quality.exact));
    table.rows.push_back(std::move(cells));
  }
  const auto means = [&](const char* name, double Quality::*metric) {
    std::vector<std::string> cells = {name};
    for (size_t i = 0; i < kSettings.size(); ++i) {
      cells.push_back(percent_interval(
          of_all(programs, [&](const Settings& program) { return program.quality[i].*metric; })));
    }
    table.rows.push_back(std::move(cells));
  };
  means("mean", &Quality::exact);
  means("mean, symbols", &Quality::symbols);
  means("mean, pairs", &Quality::pairs);
  return table;
}

Table cost_table(const std::vector<Settings>& programs) {
  Table table{
      "Means over the programs: references sampled, overhead as measured and by equation 4, "
      "and in a burst, references of the middle one, returns into the other copy",
      {"setting", "checks in bursts", "references", "overhead", "equation 4", "references a burst",
       "returns that changed the copy"},
      {}};
  for (size_t i = 0; i < kSettings.size(); ++i) {
    const auto mean = [&](auto value) { return spread_of(of_all(programs, value)).mean; };
    table.rows.push_back({kSettings[i].text(), percent(kSettings[i].rate()),
                          percent(mean([=](const Settings& p) { return p.quality[i].share(); })),
                          percent(mean([=](const Settings& p) { return measured(p, i); })),
                          percent(mean([=](const Settings& p) { return predicted(p, i); })),
                          fmt::format("{:.0f}", mean([=](const Settings& p) {
                                        return static_cast<double>(p.quality[i].p50);
                                      })),
                          percent(mean([=](const Settings& p) {
                            return static_cast<double>(p.quality[i].accidental) /
                                   static_cast<double>(std::max<uint64_t>(p.quality[i].returns, 1));
                          }))});
  }
  return table;
}

Table rivals_table(const std::vector<Settings>& programs) {
  Table table{
      "One reference in a hundred in bursts, the same region: overlap, overhead, misses of the "
      "instruction cache a thousand instructions of the original",
      {"program"},
      {}};
  table.header.insert(table.header.end(), kRivals.begin(), kRivals.end());
  for (const Settings& program : programs) {
    std::vector<std::string> cells = {program.program};
    for (const Rival& rival : program.rivals) {
      cells.push_back(fmt::format("{}, {}, {:.2f}", percent(rival.quality.exact),
                                  percent(rival.cost.overhead(program.original)),
                                  1000.0 * static_cast<double>(rival.cost.l1i_misses) /
                                      static_cast<double>(program.original.instructions)));
    }
    table.rows.push_back(std::move(cells));
  }
  std::vector<std::string> means = {"mean"};
  for (size_t i = 0; i < kRivals.size(); ++i) {
    means.push_back(fmt::format(
        "{}, {}",
        percent_interval(
            of_all(programs, [=](const Settings& p) { return p.rivals[i].quality.exact; })),
        percent_interval(of_all(
            programs, [=](const Settings& p) { return p.rivals[i].cost.overhead(p.original); }))));
  }
  table.rows.push_back(std::move(means));
  return table;
}

Figure figure_of(const std::vector<Settings>& programs) {
  using report::Stroke;
  Figure figure{"bursty-fig7",
                "Overlap of hot data streams, mean of the programs",
                "1 / share of the checks that are in bursts",
                "overlap, %",
                {}};
  for (const auto& [name, settings] :
       {std::pair("bursts of 1 check", std::vector<size_t>{k20_1, k100_1, k200_1}),
        std::pair("of 10", std::vector<size_t>{k200_10, k1000_10, k2000_10}),
        std::pair("of 50", std::vector<size_t>{k1000_50, k5000_50})}) {
    Curve curve{name, {}};
    for (const size_t setting : settings) {
      curve.points.emplace_back(1 / kSettings[setting].rate(),
                                100 * spread_of(overlaps(programs, setting)).mean);
    }
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

/// The programs' bursts, shortest and longest tenth against the middle one.
std::string burst_lengths(const std::vector<Settings>& programs, size_t setting) {
  const auto share = [&](uint64_t Quality::*part) {
    return spread_of(of_all(programs,
                            [=](const Settings& program) {
                              const Quality& quality = program.quality[setting];
                              return static_cast<double>(quality.*part) /
                                     static_cast<double>(std::max<uint64_t>(quality.p50, 1));
                            }))
        .mean;
  };
  return fmt::format(
      "at {} a tenth of the bursts has fewer than {:.2f} times the references of the middle one, a "
      "tenth more than {:.2f} times, the longest {:.1f} times",
      kSettings[setting].text(), share(&Quality::p10), share(&Quality::p90), share(&Quality::most));
}

void add_lengths(const std::vector<Settings>& programs, Reproduction& result) {
  for (const auto& [one, other] :
       {std::pair(k200_10, k20_1), std::pair(k1000_50, k200_10), std::pair(k1000_10, k100_1),
        std::pair(k5000_50, k1000_10), std::pair(k2000_10, k200_1)}) {
    result.claims.push_back(claim_by_interval(
        fmt::format("longer bursts at the same rate are better: {} than {}, difference of the "
                    "overlaps",
                    kSettings[one].text(), kSettings[other].text()),
        better(programs, one, other), kBetter.least, kBetter.most,
        fmt::format("{} and {}", percent_interval(overlaps(programs, one)),
                    percent_interval(overlaps(programs, other)))));
  }
  const std::vector<double> cheaper = better(programs, k5000_50, k20_1);
  const auto ahead = std::count_if(cheaper.begin(), cheaper.end(), [](double x) { return x > 0; });
  result.checks.push_back(
      {"in some cases longer bursts beat a higher rate with shorter ones",
       fmt::format("5000:50 beats 20:1 in {} of {} programs", ahead, cheaper.size()), ahead > 0});
}

void add_costs(const std::vector<Settings>& programs, Reproduction& result) {
  for (const size_t setting : {size_t{k1000_50}, size_t{k5000_50}, size_t{k20_1}}) {
    result.claims.push_back(claim_by_interval(
        fmt::format("the overhead is that of equation 4 at {}: the difference is below 1 point",
                    kSettings[setting].text()),
        of_all(programs,
               [=](const Settings& program) {
                 return measured(program, setting) - predicted(program, setting);
               }),
        kEquation.least, kEquation.most,
        "the equation leaves out the change from copy to copy: the slow part of two checks, and "
        "code "
        "of the other copy that is not in the instruction cache"));
  }
  result.claims.push_back(claim_by_interval(
      "returns to the wrong copy are no problem: of the returns, those that change it",
      of_all(programs,
             [](const Settings& program) {
               const Quality& quality = program.quality[k1000_50];
               return static_cast<double>(quality.accidental) /
                      static_cast<double>(std::max<uint64_t>(quality.returns, 1));
             }),
      kReturns.least, kReturns.most, burst_lengths(programs, k1000_50)));
}

}  // namespace

Reproduction fig7(const std::vector<Settings>& programs) {
  Reproduction result;
  result.name = "bursty-fig7";
  result.title = "Figure 7: hot data streams against nCheck0 : nInstr0";
  result.figures.push_back(figure_of(programs));
  result.tables = {quality_table(programs), cost_table(programs), rivals_table(programs)};
  add_lengths(programs, result);
  add_costs(programs, result);
  return result;
}

}  // namespace strobe::reproduce::bursty
