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
  std::string why;  // of a difference: what is known of its cause
};

/// @param why  said when it does not hold
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

/// "holds: ..." or "differs: ...", a line a claim, then "skipped: ..." lines.
std::string verdict_lines(const Reproduction& reproduction);
/// A section of docs/reproductions; its figures are NAME.svg beside the page.
std::string to_markdown(const Reproduction& reproduction);

}  // namespace strobe::reproduce
