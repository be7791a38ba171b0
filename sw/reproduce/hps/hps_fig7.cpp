// Figure 7: accuracy and overhead against the sampling frequency.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sw/reproduce/hps/hps_means.h"
#include "sw/reproduce/spread.h"

namespace strobe::reproduce::hps {
namespace {

std::vector<double> overheads_at(const std::vector<Sampled>& programs, Profile profile, size_t f) {
  std::vector<double> values;
  for (const Sampled& program : programs) values.push_back(program.overhead[profile][f].fraction());
  return values;
}

Means mean_overheads(const std::vector<Sampled>& programs, Profile profile) {
  Means means{};
  for (size_t f = 0; f < means.size(); ++f) {
    means[f] = spread_of(overheads_at(programs, profile, f)).mean;
  }
  return means;
}

/// What one profile gives at its usual burst length.
struct Series {
  Means accuracy, other, overhead;
};
using AllSeries = std::array<Series, kProfiles>;

Table table_of(const AllSeries& series) {
  Table table{"Means over the programs: accuracy, the other overlap, overhead", {"frequency"}, {}};
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    table.header.push_back(
        fmt::format("{}, burst {}", kProfileNames[profile], kBursts[kUsualBurst[profile]]));
  }
  for (size_t f = 0; f < kFrequencies.size(); ++f) {
    std::vector<std::string> cells = {frequency_text(f)};
    for (const Series& of : series) {
      cells.push_back(fmt::format("{}, {}, {}", percent(of.accuracy[f]), percent(of.other[f]),
                                  percent(of.overhead[f])));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// Each program at 1/500.
Table programs_table(const std::vector<Sampled>& programs) {
  Table table{
      "At 1/500, by program: accuracy, overhead; branch-on-random, whose 1/128 is nearer to 1/100, "
      "accuracy",
      {"program"},
      {}};
  for (const char* name : kProfileNames) table.header.emplace_back(name);
  for (const char* name : {"call pairs by branch-on-random, 1/128", "methods, the same way"}) {
    table.header.emplace_back(name);
  }
  const auto text = [](const Accuracy& accuracy) {
    return accuracy.overlap ? percent(*accuracy.overlap) : std::string("none");
  };
  for (const Sampled& program : programs) {
    std::vector<std::string> cells = {program.program};
    for (const Profile profile : {kStreams, kPairs, kMethods}) {
      cells.push_back(
          fmt::format("{}, {}", text(program.accuracy[profile][kUsualBurst[profile]][kRecommended]),
                      percent(program.overhead[profile][kRecommended].fraction())));
    }
    for (const Profile profile : {kPairs, kMethods}) {
      cells.push_back(text(program.random[profile]));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// The program whose profile is worst at 1/500, and how many events that is from.
std::string worst(const std::vector<Sampled>& programs, Profile profile) {
  const auto point = [&](const Sampled& program) -> const Accuracy& {
    return program.accuracy[profile][kUsualBurst[profile]][kRecommended];
  };
  const auto least = std::min_element(
      programs.begin(), programs.end(), [&](const Sampled& one, const Sampled& other) {
        return point(one).overlap.value_or(2) < point(other).overlap.value_or(2);
      });
  return fmt::format("least {} of {}, from {} events collected",
                     percent(point(*least).overlap.value_or(0)), least->program,
                     point(*least).events);
}

void add_accuracies(const std::vector<Sampled>& programs, const AllSeries& series,
                    Reproduction& result) {
  constexpr std::array<double, kProfiles> kStated = {0.4, 0.9, 0.9};
  const Means by_symbols =
      accuracies(programs, kStreams, kUsualBurst[kStreams], &Accuracy::symbols);
  const std::string symbols = fmt::format("; streams that the symbols detector finds: {}",
                                          percent(by_symbols[kRecommended]));
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    const double ours = series[profile].accuracy[kRecommended];
    result.claims.push_back(
        claim(fmt::format("at 1/500 the profile of {} is more than {:.0f} % accurate",
                          kProfileNames[profile], 100 * kStated[profile]),
              fmt::format("{}; {} by the other overlap{}", percent(ours),
                          percent(series[profile].other[kRecommended]),
                          profile == kStreams ? symbols : ""),
              ours > kStated[profile], worst(programs, profile)));
  }
}

/// Cycles that a collected event costs and is from the next, means over the programs that have any.
struct EventCost {
  Spread cycles;
  double apart = 0;
};
std::optional<EventCost> event_cost(const std::vector<Sampled>& programs, Profile profile,
                                    size_t f) {
  std::vector<double> costs, apart;
  for (const Sampled& program : programs) {
    const Overhead& overhead = program.overhead[profile][f];
    if (overhead.events == 0) continue;
    const auto events = static_cast<double>(overhead.events);
    costs.push_back(
        (static_cast<double>(overhead.cycles) - static_cast<double>(overhead.baseline)) / events);
    apart.push_back(static_cast<double>(overhead.baseline) / events);
  }
  if (costs.empty()) return std::nullopt;
  return EventCost{spread_of(costs), spread_of(apart).mean};
}

std::string cost_of(const std::vector<Sampled>& programs, Profile profile, size_t f) {
  const std::optional<EventCost> cost = event_cost(programs, profile, f);
  if (!cost) return "nothing was collected";
  return fmt::format("one event collected every {:.0f} cycles (mean) costs {} cycles", cost->apart,
                     cost->cycles.text());
}

/// How the cost of a collected event changes with the frequency.
std::string costs_of(const std::vector<Sampled>& programs, Profile profile) {
  std::string text;
  for (size_t f = 0; f < kFrequencies.size(); ++f) {
    const std::optional<EventCost> cost = event_cost(programs, profile, f);
    if (!cost) continue;
    text += fmt::format("{}{:.0f} at {}", text.empty() ? "" : ", ", cost->cycles.mean,
                        frequency_text(f));
  }
  return text;
}

/// The sparsest sampling that is still 90 % accurate, and what it costs.
std::string cheapest(const Series& series) {
  for (size_t f = kFrequencies.size(); f-- > 0;) {
    if (series.accuracy[f] < 0.9) continue;
    return fmt::format("; the sparsest that is: {}, {} for {}", frequency_text(f),
                       percent(series.accuracy[f]), percent(series.overhead[f]));
  }
  return "; none is";
}

/// What section 6.2 says of call pairs and of methods, for one of them.
void add_costs(const std::vector<Sampled>& programs, const AllSeries& series, Profile profile,
               Reproduction& result) {
  const char* name = kProfileNames[profile];
  const Spread densest = spread_of(overheads_at(programs, profile, 0));
  const std::string cost = cost_of(programs, profile, 0);
  result.claims.push_back(
      claim(fmt::format("{} at 1/100 cost 0 to 2.5 %", name),
            fmt::format("{} to {}", percent(densest.least), percent(densest.most)),
            densest.least > -0.001 && densest.most <= 0.025, cost));
  result.claims.push_back(claim(fmt::format("{} at 1/100 cost just over 1 % on average", name),
                                percent(densest.mean), about(0.01, densest.mean), cost));
  const double accuracy = series[profile].accuracy[kRecommended];
  const double overhead = series[profile].overhead[kRecommended];
  result.claims.push_back(
      claim(fmt::format("a profile of {} that is 90 % accurate costs about 0.2 %", name),
            fmt::format("at 1/500 {} accurate for {}{}", percent(accuracy), percent(overhead),
                        cheapest(series[profile])),
            accuracy >= 0.9 && about(0.002, overhead), cost_of(programs, profile, kRecommended)));
}

void add_overheads(const std::vector<Sampled>& programs, const AllSeries& series,
                   Reproduction& result) {
  std::string ratios, costs;
  bool proportional = true;
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    const double ratio = series[profile].overhead[0] / series[profile].overhead[kRecommended];
    proportional = proportional && about(5, ratio);
    ratios += fmt::format("{}{} {:.2f}", ratios.empty() ? "" : ", ", kProfileNames[profile], ratio);
    costs += fmt::format("{}{} {}", costs.empty() ? "" : "; ", kProfileNames[profile],
                         costs_of(programs, profile));
  }
  result.claims.push_back(
      claim("the overhead is proportional to the sampling frequency",
            "at 1/100 five times that of 1/500: " + ratios, proportional,
            "a collected event does not cost the same at every frequency, in cycles: " + costs));
  std::string steps;
  bool negligible = true;
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    const Means& of = series[profile].overhead;
    const double step = std::abs(of[3] - of[4]);
    negligible = negligible && step < 0.001;
    steps +=
        fmt::format("{}{} {}", steps.empty() ? "" : ", ", kProfileNames[profile], percent(step));
  }
  result.claims.push_back(claim("below some frequency the difference in overhead is negligible",
                                "between 1/5000 and 1/10000: " + steps, negligible,
                                "a difference below 0.1 percentage points counts as negligible"));
  size_t less = 0, dearer = 0;
  std::string not_so;
  for (size_t f = 0; f < kFrequencies.size(); ++f) {
    const bool is_less = series[kStreams].accuracy[f] <
                         std::min(series[kPairs].accuracy[f], series[kMethods].accuracy[f]);
    const bool is_dearer = series[kStreams].overhead[f] >
                           std::max(series[kPairs].overhead[f], series[kMethods].overhead[f]);
    less += is_less;
    dearer += is_dearer;
    if (is_less && is_dearer) continue;
    not_so += fmt::format("{}at {}", not_so.empty() ? "" : "; ", frequency_text(f));
    for (const Profile profile : {kStreams, kPairs, kMethods}) {
      not_so +=
          fmt::format("{} {} {} for {}", profile == kStreams ? "" : ",", kProfileNames[profile],
                      percent(series[profile].accuracy[f]), percent(series[profile].overhead[f]));
    }
  }
  result.claims.push_back(
      claim("data streams are less accurate and cost more than the other two",
            fmt::format("less accurate at {} of {} frequencies, more expensive at {}", less,
                        kFrequencies.size(), dearer),
            not_so.empty(), not_so));
}

void add_sensitivity(const AllSeries& series, Reproduction& result) {
  const auto lost = [&](Profile profile) {
    return 1 - series[profile].accuracy.back() / series[profile].accuracy.front();
  };
  result.claims.push_back(claim(
      "methods are less sensitive to the frequency than data streams and call pairs",
      fmt::format("from 1/100 to 1/10000 methods lose {} of their accuracy, data streams {}, "
                  "call pairs {}",
                  percent(lost(kMethods)), percent(lost(kStreams)), percent(lost(kPairs))),
      lost(kMethods) < lost(kStreams) && lost(kMethods) < lost(kPairs), "see the first table"));
}

}  // namespace

Reproduction fig7(const std::vector<Sampled>& programs) {
  Reproduction result;
  result.name = "hps-fig7";
  result.title = "Figure 7: accuracy and overhead";
  AllSeries series;
  Figure accuracy = figure_of("hps-fig7-accuracy", "Accuracy, mean of the programs", "overlap, %");
  Figure overhead =
      figure_of("hps-fig7-overhead", "Overhead of HPS, mean of the programs", "overhead, %");
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    Series& of = series[profile];
    of.accuracy = accuracies(programs, profile, kUsualBurst[profile]);
    of.other = accuracies(programs, profile, kUsualBurst[profile], &Accuracy::other);
    of.overhead = mean_overheads(programs, profile);
    accuracy.curves.push_back(curve_of(kProfileNames[profile], of.accuracy));
    overhead.curves.push_back(curve_of(kProfileNames[profile], of.overhead));
  }
  result.figures = {std::move(accuracy), std::move(overhead)};
  result.tables = {table_of(series), programs_table(programs)};
  add_accuracies(programs, series, result);
  for (const Profile profile : {kPairs, kMethods}) add_costs(programs, series, profile, result);
  add_overheads(programs, series, result);
  add_sensitivity(series, result);
  return result;
}

}  // namespace strobe::reproduce::hps
