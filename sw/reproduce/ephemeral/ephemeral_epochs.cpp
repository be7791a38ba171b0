// The length of epochs, and what it does that it is always the same or differs at random.
#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "sw/reproduce/ephemeral/ephemeral_limits.h"
#include "sw/reproduce/ephemeral/ephemeral_means.h"

namespace strobe::reproduce::ephemeral {
namespace {

enum { kShort, kUsual, kLong };  // of kEpochs

const auto kJittered = [](const EpochLengths& program) { return program.jittered; };

/// "0.1 M"
std::string millions(uint64_t cycles) {
  return fmt::format("{} M", static_cast<double>(cycles) / 1e6);
}
std::string jittered_epoch() {
  return fmt::format("{} +- {:.0f} %", millions(kUsualEpoch), 100 * kJitter);
}

template <class Profile>
std::vector<std::string> row_of(std::string name, const std::vector<EpochLengths>& programs,
                                Profile profile) {
  return {std::move(name), percent_interval(overheads_of(programs, profile)),
          percent_interval(errors_of(programs, profile)),
          percent_interval(overlaps_of(programs, profile)),
          percent_interval(normalized_by(programs, profile))};
}

Table epochs_table(const std::vector<EpochLengths>& programs) {
  Table table{
      "Means over the programs: overhead, error of a branch's taken share, overlap with the "
      "profile of all branches, normalized cycles",
      {"epoch, cycles", "overhead", "taken share", "overlap", "cycles"},
      {}};
  for (size_t i = 0; i < kEpochs.size(); ++i) {
    table.rows.push_back(row_of(millions(kEpochs[i]), programs, by(i)));
  }
  table.rows.push_back(row_of(jittered_epoch() + " at random", programs, kJittered));
  table.rows.push_back(
      {"complete profile", "-", "-", "-", percent_interval(by_complete(programs))});
  return table;
}

/// One row a program: overhead, normalized cycles.
Table programs_table(const std::vector<EpochLengths>& programs) {
  Table table{
      "Overhead and normalized cycles by program, and the same with jitter", {"program"}, {}};
  for (const uint64_t epoch : kEpochs) table.header.push_back(millions(epoch));
  table.header.push_back(jittered_epoch());
  for (const EpochLengths& program : programs) {
    std::vector<std::string> cells = {program.name};
    const auto add = [&](const Trained& one) {
      cells.push_back(fmt::format("{}, {}", percent(program.overhead(one)),
                                  percent(program.normalized(one.test_cycles))));
    };
    for (const Trained& one : program.by) add(one);
    add(program.jittered);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Figure figure_of(const std::vector<EpochLengths>& programs) {
  Figure figure{"ephemeral-epochs",
                "Mean over the programs by length of an epoch",
                "log10 of the cycles of an epoch",
                "%",
                {{"overhead", {}}, {"error of the taken share", {}}, {"saving of cycles", {}}},
                report::Start::kLeast,
                report::Start::kZero};
  for (size_t i = 0; i < kEpochs.size(); ++i) {
    const double x = std::log10(kEpochs[i]);
    figure.curves[0].points.emplace_back(x, mean_percent(overheads_of(programs, by(i))));
    figure.curves[1].points.emplace_back(x, mean_percent(errors_of(programs, by(i))));
    figure.curves[2].points.emplace_back(x, 100 - mean_percent(normalized_by(programs, by(i))));
  }
  return figure;
}

}  // namespace

Reproduction epochs(const std::vector<EpochLengths>& programs) {
  Reproduction result;
  result.name = "ephemeral-epochs";
  result.title = "The length of an epoch, and jitter";
  result.figures.push_back(figure_of(programs));
  result.tables = {epochs_table(programs), programs_table(programs)};
  const auto overhead = [&](auto profile) { return overheads_of(programs, profile); };
  const auto error = [&](auto profile) { return errors_of(programs, profile); };
  const std::string nothing =
      "a branch that an epoch does not unhook is not hooked again, so nothing changes for it";
  for (const auto& [shorter, longer] : {std::pair(kShort, kUsual), std::pair(kUsual, kLong)}) {
    const std::string both = fmt::format("epochs of {} cycles beside {}",
                                         millions(kEpochs[shorter]), millions(kEpochs[longer]));
    result.claims.push_back(claim_by_interval(
        "more frequent instrumentation costs more: " + both + ", difference of the overheads",
        differences(overhead(by(shorter)), overhead(by(longer))), 0, kUnbounded, nothing));
    result.claims.push_back(claim_by_interval(
        "more frequent instrumentation makes the profile better: " + both +
            ", decrease of the error of a taken share",
        differences(error(by(longer)), error(by(shorter))), 0, kUnbounded, nothing));
  }
  for (size_t i = 0; i < kEpochs.size(); ++i) {
    result.claims.push_back(claim_by_interval(
        fmt::format("infrequent recording is useful: epochs of {} cycles give the cycles of the "
                    "complete profile",
                    millions(kEpochs[i])),
        beside_complete(programs, by(i)), -kPoint, kPoint,
        fmt::format("the error of a taken share is {}", percent_interval(error(by(i))))));
  }
  result.claims.push_back(claim_by_interval(
      "(our own question) on real programs jitter changes the overhead by at most 1 point",
      differences(overhead(kJittered), overhead(by(kUsual))), -kPoint, kPoint, nothing));
  result.claims.push_back(
      claim_by_interval("(our own question) and the error of a taken share by at most 1 point",
                        differences(error(kJittered), error(by(kUsual))), -kPoint, kPoint,
                        "programs with phases in step with the epochs exist"));
  return result;
}

Reproduction aliasing(const Aliasing& measured) {
  Reproduction result;
  result.name = "ephemeral-aliasing";
  result.title = "Epochs in step with a program";
  Figure figure{"ephemeral-aliasing",
                "Error of the taken share by where in its period the program starts",
                "sixteenths of the period",
                "points",
                {}};
  Table table{
      fmt::format("Error of the branch's taken share, in points, by the start in sixteenths of the "
                  "period; right is {}; {:.0f} periods of {:.1f} cycles",
                  percent(measured.true_share), measured.periods, measured.period),
      {"start", fmt::format("epochs of {} cycles", measured.epoch),
       fmt::format("+- {:.0f} % at random", 100 * kJitter)},
      {}};
  for (size_t i = 0; i < measured.in_step.size(); ++i) {
    table.rows.push_back({fmt::format("{}", 2 * i + 1),
                          fmt::format("{:.1f}", 100 * measured.in_step[i]),
                          fmt::format("{:.1f}", 100 * measured.jittered[i])});
  }
  table.rows.push_back(
      {"mean", percent_interval(measured.in_step), percent_interval(measured.jittered)});
  for (size_t column = 1; column < table.header.size(); ++column) {
    Curve curve{table.header[column], {}};
    const std::vector<double>& errors = column == 1 ? measured.in_step : measured.jittered;
    for (size_t i = 0; i < errors.size(); ++i) {
      curve.points.emplace_back(static_cast<double>(2 * i + 1), 100 * errors[i]);
    }
    figure.curves.push_back(std::move(curve));
  }
  result.figures = {std::move(figure)};
  result.tables = {std::move(table)};
  result.claims.push_back(claim_by_interval(
      fmt::format("fixed epochs correlate with the program (footnote 3): as long as its period, "
                  "they are wrong by at least {:.0f} points",
                  100 * kInStep),
      measured.in_step, kInStep, kUnbounded,
      "the epochs drift through the period: the two are not as long as each other"));
  result.claims.push_back(claim_by_interval(
      fmt::format("randomized epochs minimize the correlation: with a jitter of {} it is wrong by "
                  "at most {:.0f} points",
                  kJitter, 100 * kMended),
      measured.jittered, -kUnbounded, kMended,
      "the ticks are a random walk, which needs many epochs to get around the period"));
  return result;
}

}  // namespace strobe::reproduce::ephemeral
