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
};

/// @param why  kept when the claim does not hold
Claim claim(std::string statement, std::string ours, bool holds, std::string why);

/// "12.34 %"
std::string percent(double fraction);

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
  std::vector<std::string> skipped;  // what was left out, each with its reason
};

/// One line for each claim, "holds: ..." or "differs: ...", then "skipped: ..." lines.
std::string verdict_lines(const Reproduction& reproduction);
/// A section of a page of docs/reproductions: figures (NAME.svg beside the page), tables, the
/// claims with their verdicts, and why those that differ do.
std::string to_markdown(const Reproduction& reproduction);

}  // namespace strobe::reproduce
