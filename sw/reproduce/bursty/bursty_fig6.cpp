// Figure 6: the basic overhead of the checks, by what is left out of them.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sw/reproduce/bursty/bursty.h"
#include "sw/reproduce/by_program.h"
#include "sw/reproduce/spread.h"
#include "sw/reproduce/verdict.h"

namespace strobe::reproduce::bursty {
namespace {

constexpr double kMeanOfOrig = 0.159;  // the paper's, section 5.1
constexpr const Limit &kMean = limit("bursty-mean"), &kOrigRange = limit("bursty-orig"),
                      &kReducedRange = limit("bursty-reduced"),
                      &kNearlyAll = limit("bursty-nearly-all"), &kLess = limit("bursty-more"),
                      &kHalf = limit("bursty-half");

/// That the overheads of programs are within a range.
Claim range_claim(std::string statement, const std::vector<double>& overheads, const Limit& range,
                  std::string why) {
  const auto inside =
      static_cast<size_t>(std::count_if(overheads.begin(), overheads.end(), [&](double overhead) {
        return overhead >= range.least && overhead <= range.most;
      }));
  return judged(std::move(statement),
                fmt::format("in {} of {} programs; {}", inside, overheads.size(),
                            spread_of(overheads).percents()),
                share_interval(inside, overheads.size()), kNearlyAll.range(), std::move(why));
}

std::vector<double> overheads(const std::vector<Basic>& programs, Variant variant) {
  return of_all(programs, [=](const Basic& program) {
    return program.variants[variant].overhead(program.original);
  });
}

/// What the second variant costs less than the first.
std::vector<double> saved(const std::vector<Basic>& programs, Variant from, Variant to) {
  return of_all(programs, [=](const Basic& program) {
    return program.variants[from].overhead(program.original) -
           program.variants[to].overhead(program.original);
  });
}

double ratio(uint64_t part, uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

Table overhead_table(const std::vector<Basic>& programs) {
  Table table{"Basic overhead", {"program"}, {}};
  table.header.insert(table.header.end(), kVariants.begin(), kVariants.end());
  for (const Basic& program : programs) {
    std::vector<std::string> cells = {program.program};
    for (const Cost& cost : program.variants)
      cells.push_back(percent(cost.overhead(program.original)));
    table.rows.push_back(std::move(cells));
  }
  std::vector<std::string> means = {"mean"};
  for (size_t i = 0; i < kVariants.size(); ++i) {
    means.push_back(percent_interval(overheads(programs, static_cast<Variant>(i))));
  }
  table.rows.push_back(std::move(means));
  return table;
}

Table cost_table(const std::vector<Basic>& programs) {
  Table table{
      "What EC+L4 does to a program: size of its code, instructions executed, misses of the "
      "instruction cache a thousand instructions of the original, each before and after",
      {"program", "code, KB", "growth", "more instructions", "misses before", "after"},
      {}};
  for (const Basic& program : programs) {
    const Cost &before = program.original, &after = program.variants[kPreferred];
    const auto misses = [&](const Cost& cost) {
      return fmt::format("{:.2f}", 1000 * ratio(cost.l1i_misses, before.instructions));
    };
    table.rows.push_back({program.program, fmt::format("{}", before.code_bytes / 1024),
                          fmt::format("{:.2f}", ratio(after.code_bytes, before.code_bytes)),
                          percent(ratio(after.instructions, before.instructions) - 1),
                          misses(before), misses(after)});
  }
  return table;
}

/// Instructions that the checks add to one of the original.
std::string added(const std::vector<Basic>& programs, Variant variant) {
  const Spread spread = spread_of(of_all(programs, [=](const Basic& program) {
    return ratio(program.variants[variant].instructions, program.original.instructions) - 1;
  }));
  return fmt::format("{} executes {} more instructions", kVariants[variant], spread.percents());
}

}  // namespace

Reproduction fig6(const std::vector<Basic>& programs) {
  Reproduction result;
  result.name = "bursty-fig6";
  result.title = "Figure 6: the basic overhead of the checks";
  result.figures.push_back(
      figure_of_variants("bursty-fig6", "Basic overhead by program", "overhead, %",
                         names_of(programs, &Basic::program),
                         [&](Variant variant) { return overheads(programs, variant); }));
  result.tables = {overhead_table(programs), cost_table(programs)};
  const std::vector<double> orig = overheads(programs, kOrig);
  const std::vector<double> preferred = overheads(programs, kPreferred);
  result.claims.push_back(
      range_claim("with every check (orig) the basic overhead of a program is 5.6 to 35.3 %", orig,
                  kOrigRange, added(programs, kOrig)));
  const Range mean = kMean.of(kMeanOfOrig);
  result.claims.push_back(claim_by_interval("and 15.9 % on average", orig, mean.least, mean.most,
                                            added(programs, kOrig)));
  result.claims.push_back(range_claim("EC+L4 reduces it to 3 to 18 %", preferred, kReducedRange,
                                      added(programs, kPreferred)));
  for (const auto& [from, to, what] :
       {std::tuple(kOrig, kEL, "leaving out the checks of leaves (EL) reduces the overhead"),
        std::tuple(kEL, kEC, "leaving out more entry checks (EC) reduces it further"),
        std::tuple(kEC, kEN, "no entry check at all (EN) is a bound below it"),
        std::tuple(kOrig, kL4,
                   "leaving out the checks of 4-boring loops (L4) reduces the overhead"),
        std::tuple(kL4, kL10, "of 10-boring loops (L10) further"),
        std::tuple(kL10, kLN, "no loop check at all (LN) is a bound below it"),
        std::tuple(kOrig, kPreferred, "both together (EC+L4) reduce it")}) {
    result.claims.push_back(
        claim_by_interval(what, saved(programs, from, to), kLess.least, kLess.most,
                          fmt::format("{}; {}", added(programs, from), added(programs, to))));
  }
  result.claims.push_back(claim_by_interval(
      "(our own aim) EC+L4 costs at most half of orig: orig / 2 - EC+L4 is not below 0",
      of_all(programs,
             [](const Basic& program) {
               return program.variants[kOrig].overhead(program.original) / 2 -
                      program.variants[kPreferred].overhead(program.original);
             }),
      kHalf.least, kHalf.most, added(programs, kPreferred)));
  return result;
}

}  // namespace strobe::reproduce::bursty
