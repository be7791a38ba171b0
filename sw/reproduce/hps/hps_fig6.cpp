// Figure 6: what plain DISE costs and what of it HPS saves.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sw/reproduce/by_program.h"
#include "sw/reproduce/hps/hps.h"
#include "sw/reproduce/spread.h"
#include "sw/reproduce/verdict.h"

namespace strobe::reproduce::hps {
namespace {

constexpr const Limit &kMean = limit("hps-mean"), &kMore = limit("hps-more"),
                      &kMemory = limit("hps-memory"), &kCallDensity = limit("hps-call-density");

/// What the paper says HPS saves, of the run time without profiling (section 6.1).
constexpr std::array<double, kProfiles> kSaved = {1.06, 0.16, 0.16};

double ratio(uint64_t part, uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// One number of every program, from its region for a profile.
template <class Value>
std::vector<double> of_all(const std::vector<Split>& splits, Profile profile, Value value) {
  std::vector<double> values;
  for (const Split& split : splits) values.push_back(value(split.of[profile]));
  return values;
}

std::vector<double> plain_of(const std::vector<Split>& splits, Profile profile) {
  return of_all(splits, profile, [](const Costs& costs) { return parts_of(costs).total(); });
}

std::vector<double> hps_of(const std::vector<Split>& splits, Profile profile) {
  return of_all(splits, profile, [](const Costs& costs) { return costs.overhead(costs.hps); });
}

std::string too_few_of(const std::vector<Split>& splits, Profile profile) {
  Events events;
  for (const Split& split : splits) {
    events.emplace_back(split.program, split.of[profile].collected);
  }
  return too_few(kProfileNames[profile], events);
}

/// The paper's bars: each section ends where the next one begins.
Figure figure_of(const std::vector<Split>& splits, Profile profile) {
  using report::Stroke;
  std::vector<double> profiling, with_basic, plain, hps;
  for (const Split& split : splits) {
    const Costs& costs = split.of[profile];
    const Parts parts = parts_of(costs);
    profiling.push_back(parts.profiling);
    with_basic.push_back(parts.profiling + parts.basic);
    plain.push_back(parts.total());
    hps.push_back(costs.overhead(costs.hps));
  }
  Figure figure =
      by_program(std::string("hps-fig6-") + kFileNames[profile],
                 fmt::format("Overhead with {} profiled, 1/100", kProfileNames[profile]),
                 "overhead, %", names_of(splits, &Split::program));
  figure.curves = {percents_by_program("profiling", profiling, Stroke::kDiamonds),
                   percents_by_program("with basic", with_basic, Stroke::kCrosses),
                   percents_by_program("with checks: plain DISE", plain),
                   percents_by_program("HPS", hps)};
  return figure;
}

Table table_of(const std::vector<Split>& splits, Profile profile) {
  Table table{fmt::format("Overhead with {} profiled", kProfileNames[profile]),
              {"program", "basic", "checks", "profiling", "plain DISE", "HPS"},
              {}};
  const bool random = splits.front().of[profile].random.has_value();
  if (random) table.header.emplace_back("branch-on-random, 1/128");
  std::vector<std::vector<double>> columns(table.header.size() - 1);
  for (const Split& split : splits) {
    const Costs& costs = split.of[profile];
    const Parts parts = parts_of(costs);
    std::vector<double> values = {parts.basic, parts.checks, parts.profiling, parts.total(),
                                  costs.overhead(costs.hps)};
    if (random) values.push_back(costs.overhead(costs.random.value()));
    std::vector<std::string> cells = {split.program};
    for (size_t column = 0; column < values.size(); ++column) {
      columns[column].push_back(values[column]);
      cells.push_back(percent(values[column]));
    }
    table.rows.push_back(std::move(cells));
  }
  std::vector<std::string> means = {"mean"};
  for (const std::vector<double>& column : columns) {
    means.push_back(percent_text(mean_of(column), bootstrap_mean(column)));
  }
  table.rows.push_back(std::move(means));
  return table;
}

/// Cycles that an event costs plain DISE before anything is collected, and how dense events are.
std::string cost_of(const std::vector<Split>& splits, Profile profile) {
  const auto event = [](const Costs& costs) {
    return (static_cast<double>(costs.plain_basic) - static_cast<double>(costs.baseline)) /
           static_cast<double>(costs.occurrences);
  };
  const auto apart = [](const Costs& costs) { return ratio(costs.baseline, costs.occurrences); };
  std::string text =
      fmt::format("a call or backward branch comes every {} cycles and costs {} cycles",
                  spread_of(of_all(splits, kMethods, apart)).text(),
                  spread_of(of_all(splits, kMethods, event)).text());
  if (profile != kStreams) return text;
  const auto check = [](const Costs& costs) {
    return (static_cast<double>(costs.plain_checks) - static_cast<double>(costs.plain_basic)) /
           static_cast<double>(costs.occurrences);
  };
  return text + fmt::format(", a reference comes every {} cycles and its check costs {} cycles",
                            spread_of(of_all(splits, kStreams, apart)).text(),
                            spread_of(of_all(splits, kStreams, check)).text());
}

Claim saving_claim(const std::vector<Split>& splits, Profile profile) {
  const std::vector<double> saved = of_all(splits, profile, [](const Costs& costs) {
    return parts_of(costs).total() - costs.overhead(costs.hps);
  });
  const std::optional<Interval> interval = bootstrap_mean(saved);
  return with_enough(judged(fmt::format("HPS saves {:.0f} % of the run time over plain DISE, {}",
                                        100 * kSaved[profile], kProfileNames[profile]),
                            percent_text(mean_of(saved), interval), interval,
                            kMean.of(kSaved[profile]), cost_of(splits, profile)),
                     {too_few_of(splits, profile)});
}

Claim dominance_claim(const std::vector<Split>& splits) {
  const std::vector<double> margin = of_all(splits, kStreams, [](const Costs& costs) {
    const Parts parts = parts_of(costs);
    return parts.checks - std::max(parts.basic, parts.profiling);
  });
  const std::optional<Interval> interval = bootstrap_mean(margin);
  return judged(
      "instrumentation checks dominate when data streams are profiled",
      "more than the larger of the other two parts by " + percent_text(mean_of(margin), interval),
      interval, kMore.range(), cost_of(splits, kStreams));
}

/// Compares plain DISE, and HPS alone, which the paper's bars show as well.
Claim alike_claim(const std::vector<Split>& splits) {
  const auto part = [&](const char* what, const auto& of) {
    const std::vector<double> methods = of(splits, kMethods), pairs = of(splits, kPairs);
    const std::optional<Interval> interval = bootstrap_ratio(methods, pairs);
    return judged(what,
                  number_text(mean_of(methods) / mean_of(pairs), interval) + " times that of pairs",
                  interval, kMean.of(1), "backward branches are events of methods only");
  };
  return with_enough(together("for methods the overheads are almost those for call pairs",
                              {part("plain DISE", plain_of), part("HPS", hps_of)}),
                     {too_few_of(splits, kPairs), too_few_of(splits, kMethods)});
}

/// Instructions to one occurrence: the median of the programs.
Claim density_claim(const std::vector<Split>& splits, Profile profile, const char* what,
                    const Limit& range) {
  const std::vector<double> apart = of_all(splits, profile, [](const Costs& costs) {
    return ratio(costs.instructions, costs.occurrences);
  });
  const std::optional<Interval> interval = bootstrap_median(apart);
  return judged(
      fmt::format("one instruction in {:.0f} to {:.0f} is {}", range.least, range.most, what),
      fmt::format("median: one in {}", number_text(median_of(apart), interval, 1)), interval,
      range.range(), fmt::format("the programs have one in {}", spread_of(apart).text()));
}

Check framework_check(const std::vector<Split>& splits) {
  std::string different;
  size_t same = 0;
  for (const Split& split : splits) {
    const Costs& costs = split.of[kStreams];
    if (costs.framework == costs.baseline) {
      ++same;
    } else {
      different += fmt::format("; {}: {} cycles with the framework, {} without", split.program,
                               costs.framework, costs.baseline);
    }
  }
  return {"HPS has no basic overhead: its sampling framework alone changes no cycle",
          fmt::format("the same cycles in {} of {} programs{}", same, splits.size(), different),
          same == splits.size()};
}

Check software_check(const std::vector<Split>& splits) {
  const double basic = spread_of(of_all(splits, kStreams, [](const Costs& costs) {
                         return parts_of(costs).basic;
                       })).mean;
  return {"plain DISE counts like the software systems that the paper quotes: 1 to 35 %",
          percent(basic), basic >= 0.01 && basic <= 0.35};
}

Check instructions_check(const std::vector<Split>& splits) {
  const Spread counting = spread_of(of_all(splits, kMethods, [](const Costs& costs) {
    return ratio(costs.basic_injected, costs.occurrences);
  }));
  const Spread checking = spread_of(of_all(splits, kStreams, [](const Costs& costs) {
    return ratio(costs.checks_injected - costs.basic_injected, costs.occurrences);
  }));
  return {"plain DISE adds 2 to 5 instructions to a call, back-edge or profiled instruction",
          fmt::format("outside bursts {:.2f} to count, and {:.2f} to check: one branch",
                      counting.mean, checking.mean),
          counting.least >= 2 && counting.most <= 5 && checking.least >= 2 && checking.most <= 5};
}

Check handlers_check(const std::vector<Split>& splits) {
  std::string sizes;
  bool few_hundred = true;
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    const uint64_t bytes = splits.front().of[profile].handler_bytes;
    sizes += fmt::format("{}{} {}", sizes.empty() ? "" : ", ", kProfileNames[profile], bytes);
    few_hundred = few_hundred && bytes >= 100 && bytes < 1000;
  }
  return {"a handler has a few hundred bytes", sizes, few_hundred};
}

}  // namespace

Reproduction fig6(const std::vector<Split>& splits) {
  Reproduction result;
  result.name = "hps-fig6";
  result.title = "Figure 6: plain DISE and HPS";
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    result.figures.push_back(figure_of(splits, profile));
    result.tables.push_back(table_of(splits, profile));
    result.claims.push_back(saving_claim(splits, profile));
  }
  result.claims.push_back(dominance_claim(splits));
  result.claims.push_back(alike_claim(splits));
  result.claims.push_back(density_claim(splits, kStreams, "a memory operation", kMemory));
  result.claims.push_back(density_claim(splits, kPairs, "a call", kCallDensity));
  result.checks = {framework_check(splits), software_check(splits), instructions_check(splits),
                   handlers_check(splits)};
  return result;
}

}  // namespace strobe::reproduce::hps
