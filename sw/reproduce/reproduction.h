// What a reproduction finds: figures, and each number the paper states beside ours.
#pragma once

#include <string>
#include <vector>

#include "sw/report/figure.h"

namespace strobe::reproduce {

using report::Curve;
using report::Figure;

struct Claim {
  std::string statement;  // what the paper says
  std::string ours;       // what came out here
  bool holds = false;
  std::string why;  // what is known of the cause of a difference; without a full stop
  /// The confidence interval reaches over the limit; the claim does not hold either.
  bool undecided = false;
};

/// Something that cannot come out otherwise unless the experiment is set up wrongly, such as a
/// parameter of the machine. It is no claim and gets no verdict.
struct Check {
  std::string statement;
  std::string ours;
  bool ok = false;
};

/// @param why  kept when the claim does not hold
Claim claim(std::string statement, std::string ours, bool holds, std::string why);

/// By the confidence interval of the mean of the programs' fractions: holds when all of it is
/// within [least, most], differs when none of it is, and is undecided otherwise, as where there is
/// no value.
Claim claim_by_interval(std::string statement, const std::vector<double>& fractions, double least,
                        double most, std::string why);

/// "12.34 %"
std::string percent(double fraction);
/// "12.3 +- 1.2 %": the mean and half of the width of its confidence interval; "-" without a value.
std::string percent_interval(const std::vector<double>& fractions);

struct Table {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // as long as the header
};

struct Reproduction {
  std::string name;   // "isca2001-fig4"
  std::string title;  // one line
  std::string setup;  // one paragraph: what ran
  std::vector<Figure> figures;
  std::vector<Table> tables;
  std::vector<Claim> claims;
  std::vector<Check> checks;         // what the set-up must give
  std::vector<std::string> skipped;  // what was left out, each with its reason
  std::vector<std::string> failed;   // runs without which this is incomplete, each with its reason
};

/// Whether every claim holds and every check is ok.
bool all_hold(const Reproduction& reproduction);

/// One line for each claim, "holds: ...", "differs: ..." or "undecided: ...", one for each check,
/// "ok: ..." or "not ok: ...", then "skipped: ..." and "failed: ..." lines.
std::string verdict_lines(const Reproduction& reproduction);
/// A section of a page of docs/reproductions: figures (NAME.svg beside the page), tables, the
/// claims with their verdicts, why those that do not hold do not, and the checks of the set-up.
std::string to_markdown(const Reproduction& reproduction);

}  // namespace strobe::reproduce
