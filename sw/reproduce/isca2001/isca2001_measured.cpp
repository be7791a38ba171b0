#include "sw/reproduce/isca2001/isca2001_measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sw/profile/accuracy/metrics.h"
#include "sw/reproduce/by_program.h"
#include "sw/reproduce/isca2001/isca2001.h"
#include "sw/reproduce/spread.h"
#include "sw/reproduce/verdict.h"

namespace strobe::reproduce::isca2001 {
namespace {

constexpr const Limit &kMessages = limit("isca-messages"), &kModel = limit("isca-model"),
                      &kMostPrograms = limit("isca-model-most"),
                      &kOfAbstract = limit("isca-overhead"),
                      &kOfFigure11 = limit("isca-edge-overhead"),
                      &kNearlyAll = limit("isca-nearly-all");
constexpr std::array<Way, kWayNames.size()> kAllWays = {kBus, kCore, kRing};
/// The model is of an interrupt handler.
constexpr std::array<Way, 2> kHandlers = {kBus, kCore};

/// The programs of which one profile was measured with enough messages.
struct Enough {
  Profiled profiled;
  std::vector<Delivered> programs;
};

Enough with_enough(const std::vector<Delivered>& programs, Profiled profiled,
                   std::vector<std::string>& skipped) {
  Enough enough{profiled, {}};
  for (const Delivered& program : programs) {
    uint64_t fewest = UINT64_MAX;
    for (const Delivery& one : program.by[profiled]) fewest = std::min(fewest, one.messages);
    if (static_cast<double>(fewest) >= kMessages.least) {
      enough.programs.push_back(program);
    } else {
      skipped.push_back(fmt::format("{}, {} ({} messages, and {:.0f} are needed)", program.program,
                                    kProfiledNames[profiled], fewest, kMessages.least));
    }
  }
  return enough;
}

template <class Value>
std::vector<double> of_all(const Enough& enough, Value value) {
  std::vector<double> values;
  for (const Delivered& program : enough.programs) values.push_back(value(program));
  return values;
}

std::vector<double> overheads(const Enough& enough, Way way) {
  return of_all(enough,
                [&](const Delivered& program) { return program.measured(enough.profiled, way); });
}

double ratio(const Delivered& program, Profiled profiled, Way way) {
  return program.measured(profiled, way) / program.analytical(profiled, way);
}

std::vector<double> ratios(const Enough& enough, Way way) {
  return of_all(enough,
                [&](const Delivered& program) { return ratio(program, enough.profiled, way); });
}

/// "a message costs 61.2 (28.4 to 90.0) cycles, and 32.1 by the model"
std::string cost_of(const Enough& enough, Way way) {
  std::vector<double> costs, models;
  for (const Delivered& program : enough.programs) {
    const Delivery& one = program.by[enough.profiled][way];
    const auto messages = static_cast<double>(one.messages);
    costs.push_back(one.added.all() / messages);
    models.push_back(program.analytical(enough.profiled, way) *
                     static_cast<double>(program.baseline) / messages);
  }
  std::string text = fmt::format("a message costs {} cycles", spread_of(costs).text());
  if (way != kRing) text += fmt::format(", and {:.1f} by the model", mean_of(models));
  return text;
}

Figure figure_of(const Enough& enough) {
  const std::string file = enough.profiled == kValues ? "values" : "edges";
  Figure figure =
      by_program("isca2001-measured-" + file,
                 fmt::format("Overhead with {} profiled", kProfiledNames[enough.profiled]),
                 "overhead, %", names_of(enough.programs, &Delivered::program));
  const std::vector<double> analytical = of_all(
      enough, [&](const Delivered& program) { return program.analytical(enough.profiled, kBus); });
  figure.curves.push_back(percents_by_program("analytical", analytical));
  for (const Way way : kAllWays) {
    figure.curves.push_back(percents_by_program(kWayNames[way], overheads(enough, way)));
  }
  return figure;
}

Table overhead_table(const Enough& enough) {
  Table table{fmt::format("Overhead with {} profiled: by the model, and measured with the messages "
                          "read over the bus, in the core and through a ring; after the measured "
                          "ones of a handler, as multiples of the analytical",
                          kProfiledNames[enough.profiled]),
              {"program", "analytical"},
              {}};
  for (const Way way : kAllWays) table.header.emplace_back(kWayNames[way]);
  for (const Delivered& program : enough.programs) {
    std::vector<std::string> cells = {program.program,
                                      percent(program.analytical(enough.profiled, kBus))};
    for (const Way way : kHandlers) {
      cells.push_back(fmt::format("{}, {:.2f}", percent(program.measured(enough.profiled, way)),
                                  ratio(program, enough.profiled, way)));
    }
    cells.push_back(percent(program.measured(enough.profiled, kRing)));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table cost_table(const Enough& enough) {
  Table table{fmt::format("Cycles that a message of {} costs, {}", kProfiledNames[enough.profiled],
                          kPartsTitle),
              {"program", "messages"},
              {}};
  for (const Way way : kAllWays) table.header.emplace_back(kWayNames[way]);
  for (const Delivered& program : enough.programs) {
    const auto& by = program.by[enough.profiled];
    std::vector<std::string> cells = {program.program, fmt::format("{}", by[kBus].messages)};
    for (const Way way : kAllWays) cells.push_back(parts_text(by[way].added, by[way].messages));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// "load values, messages over the bus"
std::string setting(const Enough& enough, Way way) {
  return fmt::format("{}, messages {}", kProfiledNames[enough.profiled], kWayNames[way]);
}

/// The claim that a value of so many programs is within a range.
Claim share_claim(std::string statement, const std::vector<double>& values, Range range,
                  const std::string& more, const Limit& share, std::string why) {
  const auto inside =
      static_cast<size_t>(std::count_if(values.begin(), values.end(), [&](double value) {
        return value >= range.least && value <= range.most;
      }));
  return judged(std::move(statement),
                fmt::format("in {} of {} programs; {}", inside, values.size(), more),
                share_interval(inside, values.size()), share.range(), std::move(why));
}

Claim model_claim(const Enough& enough, Way way) {
  const std::vector<double> values = ratios(enough, way);
  return share_claim(
      "(own aim) measured at most 1.3 times analytical: " + setting(enough, way), values,
      kModel.range(),
      fmt::format("median {}", number_text(median_of(values), bootstrap_median(values))),
      kMostPrograms, cost_of(enough, way));
}

/// What the paper says of the overhead, of the measured one.
Claim paper_claim(const Enough& enough, Way way) {
  const std::vector<double> values = overheads(enough, way);
  if (enough.profiled == kValues) {
    const std::optional<Interval> interval = bootstrap_median(values);
    return judged("3.5 % overhead (abstract), measured: " + setting(enough, way),
                  "median " + percent_text(median_of(values), interval), interval,
                  kOfAbstract.of(kPapersOverhead), cost_of(enough, way));
  }
  return share_claim("under 4.5 % on all programs (figure 11), measured: " + setting(enough, way),
                     values, kOfFigure11.range(), spread_of(values).percents(), kNearlyAll,
                     cost_of(enough, way));
}

}  // namespace

double Delivered::measured(Profiled profiled, Way way) const {
  const auto without = static_cast<double>(baseline);
  return (static_cast<double>(by[profiled][way].cycles) - without) / without;
}

double Delivered::analytical(Profiled profiled, Way way) const {
  const Delivery& one = by[profiled][way];
  return static_cast<double>(profile::CostModel().cycles(one.messages, one.interrupts)) /
         static_cast<double>(baseline);
}

Reproduction measured(const std::vector<Delivered>& programs) {
  Reproduction result;
  result.name = "isca2001-measured";
  result.title = "Measured overhead beside analytical";
  for (const Profiled profiled : {kValues, kEdgesAndCalls}) {
    const Enough enough = with_enough(programs, profiled, result.skipped);
    if (enough.programs.empty()) {
      result.claims.push_back(
          undecided(fmt::format("overhead with {} profiled", kProfiledNames[profiled]), "none",
                    "no program sent enough messages"));
      continue;
    }
    result.figures.push_back(figure_of(enough));
    result.tables.push_back(overhead_table(enough));
    result.tables.push_back(cost_table(enough));
    for (const Way way : kHandlers) result.claims.push_back(model_claim(enough, way));
    for (const Way way : kAllWays) result.claims.push_back(paper_claim(enough, way));
  }
  return result;
}

}  // namespace strobe::reproduce::isca2001
