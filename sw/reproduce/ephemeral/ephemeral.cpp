// Tables 2 to 6: the paper's numbers of one program beside the means of ours.
#include "sw/reproduce/ephemeral/ephemeral.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sw/reproduce/ephemeral/ephemeral_limits.h"
#include "sw/reproduce/ephemeral/ephemeral_means.h"

namespace strobe::reproduce::ephemeral {
namespace {

Table both(const PaperTable& paper, const std::vector<Persistences>& programs) {
  Table table{"Cycles normalized to local scheduling, and overhead; ours are means",
              {"profile", fmt::format("{}, cycles", paper.program), "ours, cycles",
               fmt::format("{}, overhead", paper.program), "ours, overhead"},
              {}};
  table.rows.push_back(
      {"complete", percent(paper.complete), percent_interval(by_complete(programs)), "-", "-"});
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    const std::optional<double>& cell = paper.ephemeral[i];
    table.rows.push_back(
        {fmt::format("persistence {}", kPersistences[i]), cell ? percent(*cell) : "lost",
         percent_interval(normalized_by(programs, by(i))), percent(paper.overhead[i]),
         percent_interval(overheads_of(programs, by(i)))});
  }
  return table;
}

Figure figure_of(const PaperTable& paper, const std::vector<Persistences>& programs) {
  Figure figure{paper.name,
                "Mean over the programs by persistence",
                "log10 of the persistence",
                "%",
                {{"normalized cycles", {}}, {"with the complete profile", {}}, {"overhead", {}}}};
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    const double x = std::log10(kPersistences[i]);
    figure.curves[0].points.emplace_back(x, mean_percent(normalized_by(programs, by(i))));
    figure.curves[1].points.emplace_back(x, mean_percent(by_complete(programs)));
    figure.curves[2].points.emplace_back(x, mean_percent(overheads_of(programs, by(i))));
  }
  return figure;
}

void claim_cycles(const PaperTable& paper, const std::vector<Persistences>& programs,
                  std::vector<Claim>* claims) {
  const double saving = 1 - paper.complete;
  claims->push_back(claim_by_interval(
      fmt::format("the complete profile of {} gives {} of the cycles of local scheduling",
                  paper.program, percent(paper.complete)),
      by_complete(programs), 1 - (1 + kOfSaving) * saving, 1 - (1 - kOfSaving) * saving,
      "the programs, the compiler that made them and the scheduler differ from the paper's"));
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    if (!paper.ephemeral[i]) continue;
    const double difference = *paper.ephemeral[i] - paper.complete;
    claims->push_back(claim_by_interval(
        fmt::format("persistence {} gives {:+.1f} points beside the complete "
                    "profile",
                    kPersistences[i], 100 * difference),
        beside_complete(programs, by(i)), difference - kPoint, difference + kPoint,
        fmt::format("the mean error of a branch's taken share is {}",
                    percent_interval(errors_of(programs, by(i))))));
  }
}

void claim_overheads(const PaperTable& paper, const std::vector<Persistences>& programs,
                     std::vector<Claim>* claims) {
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    const double near = std::max(kPoint, kOfOverhead * paper.overhead[i]);
    claims->push_back(claim_by_interval(
        fmt::format("persistence {} costs {}", kPersistences[i], percent(paper.overhead[i])),
        overheads_of(programs, by(i)), paper.overhead[i] - near, paper.overhead[i] + near,
        "an epoch here is shorter than the paper's, in cycles, and so is a run"));
  }
}

}  // namespace

Reproduction table(const PaperTable& paper, const std::vector<Persistences>& programs) {
  Reproduction result;
  result.name = paper.name;
  result.title =
      fmt::format("Table {}: {}", paper.name[sizeof "ephemeral-table" - 1], paper.program);
  result.figures.push_back(figure_of(paper, programs));
  result.tables = {both(paper, programs)};
  claim_cycles(paper, programs, &result.claims);
  claim_overheads(paper, programs, &result.claims);
  return result;
}

}  // namespace strobe::reproduce::ephemeral
