// Figure 8: what fewer checks do to the quality of sampled hot data streams.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sw/reproduce/bursty/bursty.h"
#include "sw/reproduce/by_program.h"
#include "sw/reproduce/verdict.h"

namespace strobe::reproduce::bursty {
namespace {

constexpr const Limit &kAsGood = limit("bursty-as-good"), &kAllButFew = limit("bursty-nearly-all");

std::vector<double> overlaps(const std::vector<Variants>& programs, size_t variant) {
  return of_all(programs, [=](const Variants& program) { return program.quality[variant].exact; });
}

Table table_of(const std::vector<Variants>& programs, const char* title, double Quality::*metric) {
  Table table{title, {"program"}, {}};
  table.header.insert(table.header.end(), kVariants.begin(), kVariants.end());
  for (const Variants& program : programs) {
    std::vector<std::string> cells = {program.program};
    for (const Quality& quality : program.quality) cells.push_back(percent(quality.*metric));
    table.rows.push_back(std::move(cells));
  }
  std::vector<std::string> means = {"mean"};
  for (size_t i = 0; i < kVariants.size(); ++i) {
    means.push_back(percent_interval(
        of_all(programs, [&](const Variants& program) { return program.quality[i].*metric; })));
  }
  table.rows.push_back(std::move(means));
  return table;
}

}  // namespace

Reproduction fig8(const std::vector<Variants>& programs) {
  Reproduction result;
  result.name = "bursty-fig8";
  result.title = "Figure 8: hot data streams with fewer checks";
  result.figures.push_back(
      figure_of_variants("bursty-fig8", "Overlap at 1000:50 by program", "overlap, %",
                         names_of(programs, &Variants::program),
                         [&](Variant variant) { return overlaps(programs, variant); }));
  result.tables = {
      table_of(programs, "Overlap of the hot data streams (equation 5)", &Quality::exact),
      table_of(programs, "Overlap of pairs of successive references", &Quality::pairs)};
  const std::vector<double> difference = of_all(programs, [](const Variants& program) {
    return program.quality[kPreferred].exact - program.quality[kOrig].exact;
  });
  std::string worse;
  size_t count = 0;
  for (size_t i = 0; i < programs.size(); ++i) {
    if (difference[i] >= kAsGood.least) continue;
    ++count;
    worse += fmt::format("{}{} by {}", worse.empty() ? "" : ", ", programs[i].program,
                         percent(-difference[i]));
  }
  result.claims.push_back(
      judged("EC+L4 gives profiles as good as orig but for one program",
             fmt::format("worse by over 5 points in {} of {} programs", count, programs.size()),
             share_interval(programs.size() - count, programs.size()), kAllButFew.range(), worse));
  result.claims.push_back(
      claim_by_interval("and better ones in others: EC+L4 - orig is not below -5 points on average",
                        difference, kAsGood.least, kAsGood.most,
                        fmt::format("{} and {}", percent_interval(overlaps(programs, kPreferred)),
                                    percent_interval(overlaps(programs, kOrig)))));
  return result;
}

}  // namespace strobe::reproduce::bursty
