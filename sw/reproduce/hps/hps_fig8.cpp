// Figure 8: accuracy against the burst length.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "sw/reproduce/hps/hps_means.h"
#include "sw/reproduce/verdict.h"

namespace strobe::reproduce::hps {
namespace {

constexpr const Limit& kBetter = limit("hps-more");

Table table_of(const std::vector<Sampled>& programs, Profile profile) {
  Table table{fmt::format("Accuracy of {}, mean of the programs; the other overlap",
                          kProfileNames[profile]),
              {"frequency"},
              {}};
  for (const unsigned burst : kBursts) table.header.push_back(fmt::format("burst {}", burst));
  for (size_t f = 0; f < kFrequencies.size(); ++f) {
    std::vector<std::string> cells = {frequency_text(f)};
    for (size_t b = 0; b < kBursts.size(); ++b) {
      cells.push_back(fmt::format("{}; {}", percent(mean_overlaps(programs, profile, b)[f]),
                                  percent(mean_overlaps(programs, profile, b, &Point::other)[f])));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// The places of the frequencies at which every program collects enough with either burst length.
std::vector<size_t> frequencies_of(const std::vector<Sampled>& programs, Profile profile,
                                   size_t one, size_t other) {
  std::vector<size_t> places;
  for (size_t f = 0; f < kFrequencies.size(); ++f) {
    if (too_few(programs, profile, one, f).empty() &&
        too_few(programs, profile, other, f).empty()) {
      places.push_back(f);
    }
  }
  return places;
}

/// What a program's accuracy gains from one burst length to the other, mean over the frequencies.
std::optional<double> gain(const Sampled& program, Profile profile,
                           const std::vector<size_t>& frequencies, size_t from, size_t to) {
  double sum = 0;
  for (const size_t f : frequencies) {
    const std::optional<double>&after = program.points[profile][to][f].overlap,
          &before = program.points[profile][from][f].overlap;
    if (!after || !before) return std::nullopt;
    sum += *after - *before;
  }
  return sum / static_cast<double>(frequencies.size());
}

/// That the longest bursts are better than bursts of 1, or the other way round.
Claim burst_claim(const std::vector<Sampled>& programs, Profile profile, size_t from, size_t to) {
  std::string statement =
      fmt::format("for {}, bursts of {} are more accurate than bursts of {}, on average",
                  kProfileNames[profile], kBursts[to], kBursts[from]);
  const std::vector<size_t> frequencies = frequencies_of(programs, profile, from, to);
  if (frequencies.empty()) {
    return with_enough(undecided(std::move(statement), "no frequency has enough events", ""),
                       {too_few(programs, profile, from, 0), too_few(programs, profile, to, 0)});
  }
  std::vector<double> gains;
  for (const Sampled& program : programs) {
    const std::optional<double> one = gain(program, profile, frequencies, from, to);
    if (one) gains.push_back(*one);
  }
  if (gains.empty()) {
    return undecided(std::move(statement), "none", "no program has such a profile");
  }
  std::string at;
  for (const size_t f : frequencies) at += (at.empty() ? "" : ", ") + frequency_text(f);
  const std::optional<Interval> interval = bootstrap_mean(gains);
  return judged(std::move(statement),
                fmt::format("by {}, mean of {}", percent_text(mean_of(gains), interval), at),
                interval, kBetter.range(), "the table has every frequency");
}

}  // namespace

Reproduction fig8(const std::vector<Sampled>& programs) {
  Reproduction result;
  result.name = "hps-fig8";
  result.title = "Figure 8: burst lengths";
  constexpr size_t kShortest = 0, kLongest = kBursts.size() - 1;
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    Figure figure = figure_of(
        std::string("hps-fig8-") + kFileNames[profile],
        fmt::format("Accuracy of {}, mean of the programs", kProfileNames[profile]), "overlap, %");
    for (size_t b = 0; b < kBursts.size(); ++b) {
      figure.curves.push_back(
          curve_of(fmt::format("burst {}", kBursts[b]), mean_overlaps(programs, profile, b)));
    }
    result.figures.push_back(std::move(figure));
    result.tables.push_back(table_of(programs, profile));
    const bool longer = profile == kStreams;
    result.claims.push_back(burst_claim(programs, profile, longer ? kShortest : kLongest,
                                        longer ? kLongest : kShortest));
  }
  return result;
}

}  // namespace strobe::reproduce::hps
