// Figure 6: what plain DISE costs and what of it HPS saves.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sw/reproduce/hps/hps.h"
#include "sw/reproduce/spread.h"

namespace strobe::reproduce::hps {
namespace {

/// What the paper says HPS saves, of the run time without profiling (section 6.1).
constexpr std::array<double, kProfiles> kSaved = {1.06, 0.16, 0.16};

double ratio(uint64_t part, uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// One number of every program.
template <class Value>
Spread of_all(const std::vector<Split>& splits, Value value) {
  std::vector<double> values;
  for (const Split& split : splits) values.push_back(value(split));
  return spread_of(values);
}

Spread plain_of(const std::vector<Split>& splits, Profile profile) {
  return of_all(splits, [=](const Split& split) { return parts_of(split, profile).total(); });
}

/// The paper's bars: each section ends where the next one begins.
Figure figure_of(const std::vector<Split>& splits, Profile profile) {
  using report::Stroke;
  Figure figure{std::string("hps-fig6-") + kFileNames[profile],
                fmt::format("Overhead with {} profiled, 1/100, by program in the table's order",
                            kProfileNames[profile]),
                "program",
                "overhead, %",
                {{"profiling", {}, Stroke::kDiamonds},
                 {"+ basic", {}, Stroke::kCrosses},
                 {"+ checks: plain DISE", {}, Stroke::kDots},
                 {"HPS", {}, Stroke::kDots}}};
  for (size_t i = 0; i < splits.size(); ++i) {
    const Parts parts = parts_of(splits[i], profile);
    const double values[] = {parts.profiling, parts.profiling + parts.basic, parts.total(),
                             splits[i].overhead(splits[i].of[profile].hps)};
    for (size_t curve = 0; curve < figure.curves.size(); ++curve) {
      figure.curves[curve].points.emplace_back(static_cast<double>(i + 1), 100 * values[curve]);
    }
  }
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
    const Parts parts = parts_of(split, profile);
    std::vector<double> values = {parts.basic, parts.checks, parts.profiling, parts.total(),
                                  split.overhead(split.of[profile].hps)};
    if (random) values.push_back(split.overhead(split.of[profile].random.value()));
    std::vector<std::string> cells = {split.program};
    for (size_t column = 0; column < values.size(); ++column) {
      columns[column].push_back(values[column]);
      cells.push_back(percent(values[column]));
    }
    table.rows.push_back(std::move(cells));
  }
  std::vector<std::string> means = {"mean"};
  for (const std::vector<double>& column : columns)
    means.push_back(percent(spread_of(column).mean));
  table.rows.push_back(std::move(means));
  return table;
}

/// Cycles that an event costs plain DISE before anything is collected, and how dense events are.
std::string cost_of(const std::vector<Split>& splits, Profile profile) {
  const bool streams = profile == kStreams;
  const Spread event = of_all(splits, [](const Split& split) {
    return (static_cast<double>(split.plain_basic) - static_cast<double>(split.baseline)) /
           static_cast<double>(split.events);
  });
  const Spread apart =
      of_all(splits, [](const Split& split) { return ratio(split.baseline, split.events); });
  std::string text =
      fmt::format("a call or backward branch comes every {} cycles and costs {} cycles",
                  apart.text(), event.text());
  if (streams) {
    const Spread check = of_all(splits, [](const Split& split) {
      return (static_cast<double>(split.of[kStreams].plain_checks) -
              static_cast<double>(split.plain_basic)) /
             static_cast<double>(split.references);
    });
    const Spread between =
        of_all(splits, [](const Split& split) { return ratio(split.baseline, split.references); });
    text += fmt::format(", a reference comes every {} cycles and its check costs {} cycles",
                        between.text(), check.text());
  }
  return text;
}

void add_savings(const std::vector<Split>& splits, Reproduction& result) {
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    const Spread saved = of_all(splits, [=](const Split& split) {
      return parts_of(split, profile).total() - split.overhead(split.of[profile].hps);
    });
    result.claims.push_back(
        claim(fmt::format("HPS saves {:.0f} % of the run time over plain DISE, {}",
                          100 * kSaved[profile], kProfileNames[profile]),
              saved.percents(), about(kSaved[profile], saved.mean), cost_of(splits, profile)));
  }
}

void add_basic(const std::vector<Split>& splits, Reproduction& result) {
  std::string different;
  size_t same = 0;
  for (const Split& split : splits) {
    if (split.framework == split.baseline) {
      ++same;
    } else {
      different += fmt::format("{}{}: {} cycles with the framework, {} without",
                               different.empty() ? "" : ", ", split.program, split.framework,
                               split.baseline);
    }
  }
  result.claims.push_back(
      claim("HPS has no basic overhead",
            fmt::format("with the sampling framework alone the cycles of {} of {} programs are "
                        "exactly those without",
                        same, splits.size()),
            same == splits.size(), different));
  const Spread basic =
      of_all(splits, [](const Split& split) { return parts_of(split, kStreams).basic; });
  const std::string ours = fmt::format("plain DISE, which counts the same: {}", basic.percents());
  result.claims.push_back(
      claim("software sampling has a basic overhead of 1 to 10 % in a Java virtual machine", ours,
            basic.mean >= 0.01 && basic.mean <= 0.10, cost_of(splits, kPairs)));
  result.claims.push_back(
      claim("and of 6 to 35 % in rewritten binaries, 3 to 18 % with fewer checks", ours,
            basic.mean >= 0.03 && basic.mean <= 0.35, cost_of(splits, kPairs)));
}

void add_composition(const std::vector<Split>& splits, Reproduction& result) {
  const auto mean_of = [&](double Parts::*part) {
    return of_all(splits, [=](const Split& split) { return parts_of(split, kStreams).*part; }).mean;
  };
  const double basic = mean_of(&Parts::basic), checks = mean_of(&Parts::checks),
               profiling = mean_of(&Parts::profiling);
  result.claims.push_back(claim("instrumentation checks dominate when data streams are profiled",
                                fmt::format("basic {}, checks {}, profiling {}", percent(basic),
                                            percent(checks), percent(profiling)),
                                checks > basic && checks > profiling, cost_of(splits, kStreams)));
  const double pairs = plain_of(splits, kPairs).mean, methods = plain_of(splits, kMethods).mean;
  result.claims.push_back(claim(
      "for methods the overheads are almost those for call pairs",
      fmt::format("plain DISE {} and {}", percent(methods), percent(pairs)), about(pairs, methods),
      "backward branches are events of methods only, so in a burst more is collected"));
}

/// Instructions to one of what `counted` counts; every program must be in the range.
Claim density_claim(const std::vector<Split>& splits, const char* what, double least, double most,
                    uint64_t Split::*counted) {
  const auto distance = [=](const Split& split) {
    return ratio(split.instructions, split.*counted);
  };
  std::string outside;
  for (const Split& split : splits) {
    const double value = distance(split);
    if (value >= least && value <= most) continue;
    outside += fmt::format("{} {} {:.1f}", outside.empty() ? "" : ",", split.program, value);
  }
  return claim(fmt::format("one instruction in {:.0f} to {:.0f} is {}", least, most, what),
               "one in " + of_all(splits, distance).text(), outside.empty(),
               "our programs are different ones:" + outside);
}

void add_densities(const std::vector<Split>& splits, Reproduction& result) {
  result.claims.push_back(density_claim(splits, "a memory operation", 2, 5, &Split::references));
  result.claims.push_back(density_claim(splits, "a call", 25, 100, &Split::calls));
  const Spread counting =
      of_all(splits, [](const Split& split) { return ratio(split.basic_injected, split.events); });
  const Spread checking = of_all(splits, [](const Split& split) {
    return ratio(split.checks_injected - split.basic_injected, split.references);
  });
  result.claims.push_back(
      claim("plain DISE adds 2 to 5 instructions to a call, back-edge or profiled instruction",
            fmt::format("outside bursts {:.2f} to count and {:.2f} to check", counting.mean,
                        checking.mean),
            counting.least >= 2 && counting.most <= 5 && checking.least >= 2 && checking.most <= 5,
            "the check is one branch on a DISE register, and outside a burst it is not taken"));
  std::string sizes;
  bool few_hundred = true;
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    const uint64_t bytes = splits.front().handler_bytes[profile];
    sizes += fmt::format("{}{} {}", sizes.empty() ? "" : ", ", kProfileNames[profile], bytes);
    few_hundred = few_hundred && bytes >= 100 && bytes < 1000;
  }
  result.claims.push_back(
      claim("a handler has a few hundred bytes", sizes, few_hundred, "see docs/hot-streams.md"));
}

}  // namespace

Reproduction fig6(const std::vector<Split>& splits) {
  Reproduction result;
  result.name = "hps-fig6";
  result.title = "Figure 6: plain DISE and HPS";
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    result.figures.push_back(figure_of(splits, profile));
    result.tables.push_back(table_of(splits, profile));
  }
  add_savings(splits, result);
  add_basic(splits, result);
  add_composition(splits, result);
  add_densities(splits, result);
  return result;
}

}  // namespace strobe::reproduce::hps
