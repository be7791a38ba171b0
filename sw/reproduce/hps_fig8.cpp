// Figure 8: accuracy against the burst length.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sw/reproduce/hps_means.h"

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

/// At how many frequencies this burst length is the most accurate.
size_t times_best(const ByBurst& accuracy, size_t burst) {
  size_t best = 0;
  for (size_t f = 0; f < kFrequencies.size(); ++f) {
    bool is_best = true;
    for (const Means& of : accuracy) is_best = is_best && accuracy[burst][f] >= of[f];
    best += is_best;
  }
  return best;
}

Claim best_claim(Profile profile, const ByBurst& accuracy, size_t burst, const std::string& why) {
  std::string values;
  for (size_t f = 0; f < kFrequencies.size(); ++f) {
    values += fmt::format("{}{} {} and {}", values.empty() ? "" : ", ", frequency_text(f),
                          percent(accuracy.front()[f]), percent(accuracy.back()[f]));
  }
  const size_t best = times_best(accuracy, burst);
  return claim(fmt::format("of {} bursts of {} are the most accurate", kProfileNames[profile],
                           kBursts[burst]),
               fmt::format("at {} of {} frequencies; bursts of 1 and of 100: {}", best,
                           kFrequencies.size(), values),
               best == kFrequencies.size(), why);
}

}  // namespace

Reproduction fig8(const std::vector<Sampled>& programs) {
  Reproduction result;
  result.name = "hps-fig8";
  result.title = "Figure 8: burst lengths";
  double most = 0;
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    ByBurst accuracy, other;
    Figure figure = figure_of(
        std::string("hps-fig8-") + kFileNames[profile],
        fmt::format("Accuracy of {}, mean of the programs", kProfileNames[profile]), "overlap, %");
    for (size_t b = 0; b < kBursts.size(); ++b) {
      accuracy[b] = accuracies(programs, profile, b);
      other[b] = accuracies(programs, profile, b, &Accuracy::other);
      figure.curves.push_back(curve_of(fmt::format("burst {}", kBursts[b]), accuracy[b]));
      if (profile == kStreams) {
        most = std::max(most, *std::max_element(accuracy[b].begin(), accuracy[b].end()));
      }
    }
    result.figures.push_back(std::move(figure));
    result.tables.push_back(table_of(profile, accuracy, other));
    const bool streams = profile == kStreams;
    result.claims.push_back(
        best_claim(profile, accuracy, streams ? kBursts.size() - 1 : 0, "see the table"));
  }
  result.claims.push_back(claim("data streams are at most 50 % accurate, whatever the parameters",
                                "at most " + percent(most), most <= 0.5, "see the table"));
  return result;
}

}  // namespace strobe::reproduce::hps
