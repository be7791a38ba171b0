#include "sw/reproduce/limits.h"

#include <fmt/format.h>

#include <cmath>

namespace strobe::reproduce {
namespace {

std::string number(double value, Unit unit) {
  constexpr double kPercent = 100;
  return fmt::format("{:.4g}",
                     unit == Unit::kPercent || unit == Unit::kPoints ? kPercent * value : value);
}

const char* unit_text(Unit unit) {
  switch (unit) {
    case Unit::kNumber:
      return "";
    case Unit::kPercent:
      return " %";
    case Unit::kPoints:
      return " points";
    case Unit::kOfPaper:
      return " times the paper's";
  }
  return "";
}

}  // namespace

std::string range_text(const Limit& limit) {
  const std::string least = number(limit.least, limit.unit), most = number(limit.most, limit.unit);
  const char* unit = unit_text(limit.unit);
  if (limit.least == kAboveZero) return "more than 0";
  if (std::isinf(limit.most)) return fmt::format("at least {}{}", least, unit);
  if (std::isinf(limit.least)) return fmt::format("at most {}{}", most, unit);
  return fmt::format("{} to {}{}", least, most, unit);
}

std::string limits_page() {
  std::string page =
      "# Limits of the verdicts\n\n"
      "`strobe reproduce --limits` prints this page from `sw/reproduce/limits.h`, which the "
      "verdicts\n"
      "read. The limits were fixed before the runs.\n\n"
      "A claim of a paper *holds* when the whole 95 % confidence interval of what was measured is\n"
      "within its limit, *differs* when none of the interval is, and is *undecided* otherwise, or\n"
      "where too little was measured. What cannot come out otherwise, such as the parameters of "
      "the\n"
      "machine, is no claim: it stands under \"Checks of the set-up\" on the paper's page.\n\n"
      "| paper | quantity | limit | reason |\n|---|---|---|---|\n";
  for (const Limit& limit : kLimits) {
    page += fmt::format("| {} | {} | {} | {} |\n", limit.paper, limit.claim, range_text(limit),
                        limit.reason);
  }
  return page;
}

}  // namespace strobe::reproduce
