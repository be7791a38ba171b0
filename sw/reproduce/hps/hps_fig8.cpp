// Figure 8: accuracy against the burst length.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sw/reproduce/hps/hps_means.h"

namespace strobe::reproduce::hps {
namespace {

/// Accuracy by burst length, of each the means by frequency.
using ByBurst = std::array<Means, kBursts.size()>;

Table table_of(Profile profile, const ByBurst& accuracy, const ByBurst& other) {
  Table table{fmt::format("Accuracy of {}, mean of the programs; the other overlap",
                          kProfileNames[profile]),
              {"frequency"},
              {}};
  for (const unsigned burst : kBursts) table.header.push_back(fmt::format("burst {}", burst));
  for (size_t f = 0; f < kFrequencies.size(); ++f) {
    std::vector<std::string> cells = {frequency_text(f)};
    for (size_t b = 0; b < kBursts.size(); ++b) {
      cells.push_back(fmt::format("{}; {}", percent(accuracy[b][f]), percent(other[b][f])));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// Whether this burst length is the best at every frequency; where it is not, by how much.
Claim best_claim(const std::vector<Sampled>& programs, Profile profile, const ByBurst& accuracy,
                 size_t burst) {
  std::string values, why;
  size_t best = 0;
  for (size_t f = 0; f < kFrequencies.size(); ++f) {
    values += fmt::format("{}{} {} and {}", values.empty() ? "" : ", ", frequency_text(f),
                          percent(accuracy.front()[f]), percent(accuracy.back()[f]));
    size_t other = burst;
    for (size_t b = 0; b < kBursts.size(); ++b) {
      if (accuracy[b][f] > accuracy[other][f]) other = b;
    }
    if (other == burst) {
      ++best;
      continue;
    }
    std::vector<std::optional<double>> events;
    for (const Sampled& program : programs) {
      events.emplace_back(static_cast<double>(program.accuracy[profile][burst][f].events));
    }
    why += fmt::format(
        "{}at {} bursts of {} give {} and bursts of {} give {}, from {:.0f} {} of each program on "
        "average",
        why.empty() ? "" : "; ", frequency_text(f), kBursts[other], percent(accuracy[other][f]),
        kBursts[burst], percent(accuracy[burst][f]), mean(events).value_or(0),
        profile == kStreams ? "references" : "events");
  }
  return claim(fmt::format("for {}, bursts of {} are the most accurate", kProfileNames[profile],
                           kBursts[burst]),
               fmt::format("at {} of {} frequencies; bursts of 1 and of 100: {}", best,
                           kFrequencies.size(), values),
               best == kFrequencies.size(), why);
}

/// The most accurate point of the data streams.
Claim most_claim(const std::vector<Sampled>& programs, const ByBurst& accuracy) {
  size_t burst = 0, frequency = 0;
  for (size_t b = 0; b < kBursts.size(); ++b) {
    for (size_t f = 0; f < kFrequencies.size(); ++f) {
      if (accuracy[b][f] <= accuracy[burst][frequency]) continue;
      burst = b;
      frequency = f;
    }
  }
  std::string by_program;
  for (const Sampled& program : programs) {
    const std::optional<double> of = program.accuracy[kStreams][burst][frequency].overlap;
    if (!of) continue;
    by_program +=
        fmt::format("{} {} {}", by_program.empty() ? "" : ",", program.program, percent(*of));
  }
  const double most = accuracy[burst][frequency];
  return claim("data streams are at most 50 % accurate, whatever the parameters",
               fmt::format("at most {}, with bursts of {} at {}", percent(most), kBursts[burst],
                           frequency_text(frequency)),
               most <= 0.5, "the accuracy depends on the program:" + by_program);
}

}  // namespace

Reproduction fig8(const std::vector<Sampled>& programs) {
  Reproduction result;
  result.name = "hps-fig8";
  result.title = "Figure 8: burst lengths";
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    ByBurst accuracy, other;
    Figure figure = figure_of(
        std::string("hps-fig8-") + kFileNames[profile],
        fmt::format("Accuracy of {}, mean of the programs", kProfileNames[profile]), "overlap, %");
    for (size_t b = 0; b < kBursts.size(); ++b) {
      accuracy[b] = accuracies(programs, profile, b);
      other[b] = accuracies(programs, profile, b, &Accuracy::other);
      figure.curves.push_back(curve_of(fmt::format("burst {}", kBursts[b]), accuracy[b]));
    }
    result.figures.push_back(std::move(figure));
    result.tables.push_back(table_of(profile, accuracy, other));
    result.claims.push_back(
        best_claim(programs, profile, accuracy, profile == kStreams ? kBursts.size() - 1 : 0));
    if (profile == kStreams) result.claims.push_back(most_claim(programs, accuracy));
  }
  return result;
}

}  // namespace strobe::reproduce::hps
