// Figure 7: accuracy and overhead against the sampling frequency, each pair from one run.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sw/reproduce/hps/hps_means.h"
#include "sw/reproduce/spread.h"
#include "sw/reproduce/verdict.h"

namespace strobe::reproduce::hps {
namespace {

constexpr const Limit &kCalls = limit("hps-calls"), &kOfStreams = limit("hps-streams"),
                      &kAbout = limit("hps-mean"), &kInRange = limit("hps-range"),
                      &kNearlyAll = limit("hps-nearly-all"), &kNegligible = limit("hps-negligible"),
                      &kMoreThan = limit("hps-more");
constexpr std::array<Profile, kProfiles> kAll = {kStreams, kPairs, kMethods};

std::string lacking(const std::vector<Sampled>& programs, Profile profile, size_t frequency) {
  return too_few(programs, profile, kUsualBurst[profile], frequency);
}

std::string mean_text(const std::vector<double>& values) {
  return values.empty() ? "none" : percent_text(mean_of(values), bootstrap_mean(values));
}

Table means_table(const std::vector<Sampled>& programs) {
  Table table{
      "Means over the programs with their 95 % intervals: accuracy, overhead", {"frequency"}, {}};
  for (const Profile profile : kAll) {
    table.header.push_back(
        fmt::format("{}, burst {}", kProfileNames[profile], kBursts[kUsualBurst[profile]]));
  }
  for (size_t f = 0; f < kFrequencies.size(); ++f) {
    std::vector<std::string> cells = {frequency_text(f)};
    for (const Profile profile : kAll) {
      cells.push_back(fmt::format("{}, {}",
                                  mean_text(overlaps(programs, profile, kUsualBurst[profile], f)),
                                  mean_text(overheads(programs, profile, f))));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string accuracy_text(const Point& point) {
  return point.overlap ? percent(*point.overlap) : std::string("none");
}

std::string overhead_text(const Point& point) {
  if (!point.overhead) return "none";
  if (!point.half_width) return percent(*point.overhead) + " +- unknown";
  if (*point.half_width == 0) return percent(*point.overhead);
  return fmt::format("{} +- {}", percent(*point.overhead), percent(*point.half_width));
}

/// Each program at 1/500.
Table programs_table(const std::vector<Sampled>& programs) {
  Table table{
      "At 1/500, by program, and for calls by branch-on-random at 1/128: accuracy, overhead, "
      "events collected",
      {"program", "data streams", "call pairs", "methods", "call pairs at random",
       "methods at random"},
      {}};
  const auto text = [](const Point& point) {
    return fmt::format("{}, {}, {}", accuracy_text(point), overhead_text(point), point.events);
  };
  for (const Sampled& program : programs) {
    std::vector<std::string> cells = {program.program};
    for (const Profile profile : kAll) cells.push_back(text(program.usual(profile, kRecommended)));
    for (const Profile profile : {kPairs, kMethods}) {
      cells.push_back(text(program.random[profile]));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// The program whose profile is worst at 1/500, and how many events that is from.
std::string worst(const std::vector<Sampled>& programs, Profile profile) {
  const auto least = std::min_element(
      programs.begin(), programs.end(), [&](const Sampled& one, const Sampled& other) {
        return one.usual(profile, kRecommended).overlap.value_or(2) <
               other.usual(profile, kRecommended).overlap.value_or(2);
      });
  const Point& point = least->usual(profile, kRecommended);
  return fmt::format("least {} of {}, from {} events collected", accuracy_text(point),
                     least->program, point.events);
}

/// That the profile is accurate at 1/500, in the words of `statement`.
Claim accuracy_claim(const std::vector<Sampled>& programs, Profile profile, std::string statement) {
  const size_t burst = kUsualBurst[profile];
  const std::vector<double> values = overlaps(programs, profile, burst, kRecommended);
  if (values.empty())
    return undecided(std::move(statement), "none", "no program has such a profile");
  std::string ours = percent_text(mean_of(values), bootstrap_mean(values));
  ours +=
      fmt::format("; {} by the other overlap",
                  percent(mean_overlaps(programs, profile, burst, &Point::other)[kRecommended]));
  if (profile == kStreams) {
    const Means symbols = mean_overlaps(programs, profile, burst, &Point::symbols);
    ours += fmt::format("; streams that the symbols detector finds: {}",
                        percent(symbols[kRecommended]));
  }
  return with_enough(
      judged(std::move(statement), std::move(ours), bootstrap_mean(values),
             (profile == kStreams ? kOfStreams : kCalls).range(), worst(programs, profile)),
      {lacking(programs, profile, kRecommended)});
}

/// Cycles that a collected event costs, and how far it is from the next.
std::string cost_of(const std::vector<Sampled>& programs, Profile profile, size_t f) {
  std::vector<double> costs, apart;
  for (const Sampled& program : programs) {
    const Point& point = program.usual(profile, f);
    if (point.events == 0 || !point.overhead) continue;
    const double between = static_cast<double>(point.baseline) / static_cast<double>(point.events);
    costs.push_back(*point.overhead * between);
    apart.push_back(between);
  }
  if (costs.empty()) return "nothing was collected";
  return fmt::format("at {} one event collected every {:.0f} cycles (mean) costs {} cycles",
                     frequency_text(f), mean_of(apart), spread_of(costs).text());
}

/// That the mean of the overheads is about the paper's.
Claim overhead_claim(const std::vector<Sampled>& programs, Profile profile, size_t f,
                     std::string statement, double paper) {
  const std::vector<double> values = overheads(programs, profile, f);
  return with_enough(judged(std::move(statement), mean_text(values), bootstrap_mean(values),
                            kAbout.of(paper), cost_of(programs, profile, f)),
                     {lacking(programs, profile, f)});
}

Claim range_claim(const std::vector<Sampled>& programs, Profile profile) {
  const std::vector<double> values = overheads(programs, profile, 0);
  if (values.empty()) {
    return undecided(fmt::format("{} at 1/100 cost 0 to 2.5 %", kProfileNames[profile]), "none",
                     "no program has an overhead");
  }
  const Range range = kInRange.range();
  const auto inside =
      static_cast<size_t>(std::count_if(values.begin(), values.end(), [&](double value) {
        return value >= range.least && value <= range.most;
      }));
  return with_enough(judged(fmt::format("{} at 1/100 cost 0 to 2.5 %", kProfileNames[profile]),
                            fmt::format("in {} of {} programs; {}", inside, values.size(),
                                        spread_of(values).percents()),
                            share_interval(inside, values.size()), kNearlyAll.range(),
                            cost_of(programs, profile, 0)),
                     {lacking(programs, profile, 0)});
}

/// What section 6.2 says of call pairs and of methods, for one of them.
void add_costs(const std::vector<Sampled>& programs, Profile profile, Reproduction& result) {
  const char* name = kProfileNames[profile];
  result.claims.push_back(range_claim(programs, profile));
  result.claims.push_back(overhead_claim(
      programs, profile, 0, fmt::format("{} at 1/100 cost just over 1 % on average", name), 0.01));
  result.claims.push_back(
      together(fmt::format("a profile of {} that is 90 % accurate costs about 0.2 %", name),
               {accuracy_claim(programs, profile, "accuracy at 1/500"),
                overhead_claim(programs, profile, kRecommended, "overhead", 0.002)}));
}

Claim proportional_claim(const std::vector<Sampled>& programs) {
  std::vector<Claim> parts;
  for (const Profile profile : kAll) {
    std::vector<double> dense, sparse;
    for (const Sampled& program : programs) {
      const std::optional<double>&at_100 = program.usual(profile, 0).overhead,
            &at_500 = program.usual(profile, kRecommended).overhead;
      if (!at_100 || !at_500) continue;
      dense.push_back(*at_100);
      sparse.push_back(*at_500);
    }
    if (dense.empty()) {
      parts.push_back(undecided(kProfileNames[profile], "none", "no program has both overheads"));
      continue;
    }
    const std::optional<Interval> interval = bootstrap_ratio(dense, sparse);
    parts.push_back(with_enough(
        judged(kProfileNames[profile], number_text(mean_of(dense) / mean_of(sparse), interval),
               interval, kAbout.of(5),
               fmt::format("{}, and {}", cost_of(programs, profile, 0),
                           cost_of(programs, profile, kRecommended))),
        {lacking(programs, profile, 0), lacking(programs, profile, kRecommended)}));
  }
  return together(
      "the overhead is proportional to the sampling frequency: at 1/100 five times that at 1/500",
      parts);
}

Claim negligible_claim(const std::vector<Sampled>& programs) {
  constexpr size_t kSparse = 3, kSparsest = 4;
  std::vector<Claim> parts;
  for (const Profile profile : kAll) {
    std::vector<double> step;
    for (const Sampled& program : programs) {
      const std::optional<double>&more = program.usual(profile, kSparse).overhead,
            &less = program.usual(profile, kSparsest).overhead;
      if (more && less) step.push_back(*more - *less);
    }
    parts.push_back(
        with_enough(judged(kProfileNames[profile], mean_text(step), bootstrap_mean(step),
                           kNegligible.range(), cost_of(programs, profile, kSparsest)),
                    {lacking(programs, profile, kSparse), lacking(programs, profile, kSparsest)}));
  }
  return together(
      "below some frequency the difference in overhead is negligible: from 1/5000 to 1/10000",
      parts);
}

/// At the frequency that the paper recommends, against the better or dearer of the other two.
Claim streams_claim(const std::vector<Sampled>& programs) {
  std::vector<double> less, dearer;
  for (const Sampled& program : programs) {
    const Point &streams = program.usual(kStreams, kRecommended),
                &pairs = program.usual(kPairs, kRecommended),
                &methods = program.usual(kMethods, kRecommended);
    if (streams.overhead && pairs.overhead && methods.overhead) {
      dearer.push_back(*streams.overhead - std::max(*pairs.overhead, *methods.overhead));
    }
    if (!streams.overlap || !pairs.overlap || !methods.overlap) continue;
    less.push_back(std::min(*pairs.overlap, *methods.overlap) - *streams.overlap);
  }
  const auto part = [](const char* what, const std::vector<double>& values) {
    if (values.empty()) return undecided(what, "none", "no program has all three profiles");
    return judged(what, mean_text(values), bootstrap_mean(values), kMoreThan.range(), "");
  };
  std::vector<std::string> all;
  for (const Profile profile : kAll) all.push_back(lacking(programs, profile, kRecommended));
  return with_enough(
      together("data streams are less accurate and cost more than the other two, at 1/500",
               {part("less accurate by", less), part("more expensive by", dearer)}),
      all);
}

Claim sensitivity_claim(const std::vector<Sampled>& programs) {
  constexpr size_t kDense = 0, kSparsest = kFrequencies.size() - 1;
  const auto lost = [](const Sampled& program, Profile profile) -> std::optional<double> {
    const Point &dense = program.usual(profile, kDense),
                &sparse = program.usual(profile, kSparsest);
    if (!dense.overlap || !sparse.overlap) return std::nullopt;
    return *dense.overlap - *sparse.overlap;
  };
  std::vector<Claim> parts;
  for (const Profile profile : {kStreams, kPairs}) {
    std::vector<double> more;
    for (const Sampled& program : programs) {
      const std::optional<double> one = lost(program, profile), other = lost(program, kMethods);
      if (one && other) more.push_back(*one - *other);
    }
    const std::string what = fmt::format("{} lose more by", kProfileNames[profile]);
    if (more.empty()) {
      parts.push_back(undecided(what, "none", "no program has both profiles"));
      continue;
    }
    parts.push_back(with_enough(
        judged(what, mean_text(more), bootstrap_mean(more), kMoreThan.range(), ""),
        {lacking(programs, profile, kSparsest), lacking(programs, kMethods, kSparsest)}));
  }
  return together(
      "methods are less sensitive to the frequency than data streams and call pairs: what is lost "
      "of the overlap from 1/100 to 1/10000",
      parts);
}

}  // namespace

Reproduction fig7(const std::vector<Sampled>& programs) {
  Reproduction result;
  result.name = "hps-fig7";
  result.title = "Figure 7: accuracy and overhead";
  Figure accuracy = figure_of("hps-fig7-accuracy", "Accuracy, mean of the programs", "overlap, %");
  Figure overhead =
      figure_of("hps-fig7-overhead", "Overhead of HPS, mean of the programs", "overhead, %");
  for (const Profile profile : kAll) {
    const char* name = kProfileNames[profile];
    accuracy.curves.push_back(
        curve_of(name, mean_overlaps(programs, profile, kUsualBurst[profile])));
    Means means{};
    for (size_t f = 0; f < means.size(); ++f) {
      const std::vector<double> values = overheads(programs, profile, f);
      if (!values.empty()) means[f] = mean_of(values);
    }
    overhead.curves.push_back(curve_of(name, means));
    result.claims.push_back(
        accuracy_claim(programs, profile,
                       fmt::format("at 1/500 the profile of {} is more than {:.0f} % accurate",
                                   name, 100 * (profile == kStreams ? kOfStreams : kCalls).least)));
  }
  result.figures = {std::move(accuracy), std::move(overhead)};
  result.tables = {means_table(programs), programs_table(programs)};
  for (const Profile profile : {kPairs, kMethods}) add_costs(programs, profile, result);
  result.claims.push_back(proportional_claim(programs));
  result.claims.push_back(negligible_claim(programs));
  result.claims.push_back(streams_claim(programs));
  result.claims.push_back(sensitivity_claim(programs));
  return result;
}

}  // namespace strobe::reproduce::hps
