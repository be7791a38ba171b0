#include "sw/reproduce/ephemeral/ephemeral.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace strobe::reproduce::ephemeral {
namespace {

template <class Value>
std::vector<double> of_all(const std::vector<Measured>& programs, Value value) {
  std::vector<double> values;
  for (const Measured& program : programs) values.push_back(value(program));
  return values;
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

std::vector<double> complete(const std::vector<Measured>& programs) {
  return of_all(programs, [](const Measured& p) { return p.normalized(p.complete); });
}
std::vector<double> sampled(const std::vector<Measured>& programs, size_t i) {
  return of_all(programs,
                [=](const Measured& p) { return p.normalized(p.ephemeral[i].test_cycles); });
}
std::vector<double> overheads(const std::vector<Measured>& programs, size_t i) {
  return of_all(programs, [=](const Measured& p) { return p.overhead(i); });
}

std::vector<std::string> header(const char* first) {
  std::vector<std::string> cells = {first};
  for (const unsigned persistence : kPersistences) cells.push_back(fmt::format("{}", persistence));
  return cells;
}

/// The paper's row, one row a program, and the means.
Table cycles_table(const PaperTable& paper, const std::vector<Measured>& programs) {
  Table table{"Cycles normalized to local scheduling, by complete profile and by persistence",
              header("program"),
              {}};
  table.header.insert(table.header.begin() + 1, "complete");
  std::vector<std::string> cells = {fmt::format("{} (paper)", paper.program),
                                    percent(paper.complete)};
  for (const auto& cell : paper.ephemeral) cells.push_back(cell ? percent(*cell) : "-");
  table.rows.push_back(std::move(cells));
  for (const Measured& program : programs) {
    cells = {program.program, percent(program.normalized(program.complete))};
    for (const Ephemeral& one : program.ephemeral) {
      cells.push_back(percent(program.normalized(one.test_cycles)));
    }
    table.rows.push_back(std::move(cells));
  }
  cells = {"mean", percent_interval(complete(programs))};
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    cells.push_back(percent_interval(sampled(programs, i)));
  }
  table.rows.push_back(std::move(cells));
  return table;
}

Table cost_table(const PaperTable& paper, const std::vector<Measured>& programs) {
  Table table{
      "Overhead of the instrumentation, by persistence, and the mean difference of a branch's "
      "taken share from the true one",
      header("program"),
      {}};
  std::vector<std::string> cells = {fmt::format("{} (paper)", paper.program)};
  for (const double overhead : paper.overhead) cells.push_back(percent(overhead));
  table.rows.push_back(std::move(cells));
  for (const Measured& program : programs) {
    cells = {program.program};
    for (size_t i = 0; i < kPersistences.size(); ++i) {
      cells.push_back(percent(program.overhead(i)));
    }
    table.rows.push_back(std::move(cells));
  }
  cells = {"mean"};
  std::vector<std::string> errors = {"mean, taken share"};
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    cells.push_back(percent_interval(overheads(programs, i)));
    errors.push_back(percent_interval(
        of_all(programs, [=](const Measured& p) { return p.ephemeral[i].bias_error; })));
  }
  table.rows.push_back(std::move(cells));
  table.rows.push_back(std::move(errors));
  return table;
}

Figure figure_of(const PaperTable& paper, const std::vector<Measured>& programs) {
  Figure figure{paper.name,
                "Mean over the programs by persistence",
                "log10 of the persistence",
                "%",
                {{"normalized cycles", {}}, {"with the complete profile", {}}, {"overhead", {}}}};
  const auto mean = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return 100 * sum / static_cast<double>(values.size());
  };
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    const double x = std::log10(kPersistences[i]);
    figure.curves[0].points.emplace_back(x, mean(sampled(programs, i)));
    figure.curves[1].points.emplace_back(x, mean(complete(programs)));
    figure.curves[2].points.emplace_back(x, mean(overheads(programs, i)));
  }
  return figure;
}

void claim_cycles(const PaperTable& paper, const std::vector<Measured>& programs,
                  std::vector<Claim>* claims) {
  const double saving = 1 - paper.complete;
  claims->push_back(claim_by_interval(
      fmt::format("the complete profile of {} gives {} of the cycles of local scheduling",
                  paper.program, percent(paper.complete)),
      complete(programs), 1 - (1 + kOfSaving) * saving, 1 - (1 - kOfSaving) * saving,
      "the programs, the compiler that made them and the scheduler differ from the paper's"));
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    if (!paper.ephemeral[i]) continue;
    const double difference = *paper.ephemeral[i] - paper.complete;
    claims->push_back(claim_by_interval(
        fmt::format("persistence {} gives {:+.1f} points beside the complete profile",
                    kPersistences[i], 100 * difference),
        of_all(programs,
               [=](const Measured& p) {
                 return p.normalized(p.ephemeral[i].test_cycles) - p.normalized(p.complete);
               }),
        difference - kPoint, difference + kPoint,
        fmt::format("the mean difference of a branch's taken share is {}",
                    percent_interval(of_all(
                        programs, [=](const Measured& p) { return p.ephemeral[i].bias_error; })))));
  }
}

void claim_overheads(const PaperTable& paper, const std::vector<Measured>& programs,
                     std::vector<Claim>* claims) {
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    const double near = std::max(kPoint, kOfOverhead * paper.overhead[i]);
    claims->push_back(claim_by_interval(
        fmt::format("persistence {} costs {}", kPersistences[i], percent(paper.overhead[i])),
        overheads(programs, i), paper.overhead[i] - near, paper.overhead[i] + near,
        "an epoch here is shorter than the paper's, in cycles"));
  }
}

void claim_aim(const std::vector<Measured>& programs, std::vector<Claim>* claims) {
  const std::vector<double> normalized = complete(programs);
  const double mean = geometric_mean(normalized);
  const auto faster = static_cast<unsigned>(
      std::count_if(normalized.begin(), normalized.end(), [](double value) { return value < 1; }));
  claims->push_back(claim(
      fmt::format("(our own aim) the geometric mean is at most {}, and at least {} programs get "
                  "faster than with local scheduling",
                  percent(kAim), kFaster),
      fmt::format("{}, and {} of {}", percent(mean), faster, normalized.size()),
      mean <= kAim && faster >= kFaster, ""));
}

}  // namespace

Reproduction table(const PaperTable& paper, const std::vector<Measured>& programs) {
  Reproduction result;
  result.name = paper.name;
  result.title = fmt::format("Table {}: {}", paper.name[sizeof "ephemeral-table" - 1],
                             "what the profile is worth, and what it costs");
  result.figures.push_back(figure_of(paper, programs));
  result.tables = {cycles_table(paper, programs), cost_table(paper, programs)};
  claim_cycles(paper, programs, &result.claims);
  claim_overheads(paper, programs, &result.claims);
  claim_aim(programs, &result.claims);
  return result;
}

}  // namespace strobe::reproduce::ephemeral
