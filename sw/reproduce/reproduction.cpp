#include "sw/reproduce/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "sw/report/confidence.h"
#include "sw/reproduce/verdict.h"

namespace strobe::reproduce {
namespace {

const char* verdict(const Claim& claim) {
  if (claim.undecided) return "undecided";
  return claim.holds ? "holds" : "differs";
}

const char* ok_text(const Check& check) { return check.ok ? "ok" : "not ok"; }

std::string row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + cell + " |";
  return out + "\n";
}

constexpr size_t kWidth = 117;  // a line of the page has 120, and signs that stay with their number

/// The text in lines of at most kWidth characters, where a blank allows it.
/// @param indent  before each line but the first
std::string wrapped(const std::string& text, const std::string& indent = "") {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::string begun;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      // A minus at the start of a line would begin a list, and a per cent sign belongs to its
      // number.
      const bool begins_line = word != "-" && word[0] != '%';
      if (begins_line && !begun.empty() && begun.size() + 1 + word.size() > kWidth) {
        out += begun + "\n";
        begun = indent;
        begun += word;
      } else {
        begun += (begun.empty() ? "" : " ") + word;
      }
    }
    out += begun + "\n";
  }
  return out;
}

/// A list of the claims that do not hold, each with what is known of its cause.
std::string reasons(const std::vector<Claim>& claims) {
  std::string out;
  for (const Claim& claim : claims) {
    if (claim.holds || claim.why.empty()) continue;
    out += wrapped(fmt::format("- **{}**: {}.", claim.statement, claim.why), "  ");
  }
  return out.empty() ? out : "\nWhy the others do not hold:\n\n" + out;
}

std::string checks(const std::vector<Check>& checks) {
  if (checks.empty()) return "";
  std::string out = "\nChecks of the set-up:\n\n| expected | ours | |\n|---|---|---|\n";
  for (const Check& check : checks) {
    out += row({check.statement, check.ours, ok_text(check)});
  }
  return out;
}

}  // namespace

Claim claim(std::string statement, std::string ours, bool holds, std::string why) {
  return {std::move(statement), std::move(ours), holds, holds ? "" : std::move(why)};
}

std::string percent_interval(const std::vector<double>& fractions) {
  if (fractions.empty()) return "-";
  const auto half = report::half_width(fractions);
  if (!half) return percent(mean_of(fractions));
  const double mean = mean_of(fractions);
  const double shown = std::abs(mean) < 0.5e-3 ? 0 : mean;
  return fmt::format("{:.1f} +- {:.1f} %", 100 * shown, 100 * *half);
}

Claim claim_by_interval(std::string statement, const std::vector<double>& fractions, double least,
                        double most, std::string why) {
  const std::optional<double> half = report::half_width(fractions);
  std::optional<Interval> interval;
  if (half) interval = {mean_of(fractions) - *half, mean_of(fractions) + *half};
  return judged(std::move(statement), percent_interval(fractions), interval, {least, most},
                std::move(why));
}

std::string percent(double fraction) {
  const double shown = std::abs(fraction) < 0.5e-4 ? 0 : fraction;  // no "-0.00 %"
  return fmt::format("{:.2f} %", 100 * shown);
}

bool all_hold(const Reproduction& reproduction) {
  return std::all_of(reproduction.claims.begin(), reproduction.claims.end(),
                     [](const Claim& claim) { return claim.holds; }) &&
         std::all_of(reproduction.checks.begin(), reproduction.checks.end(),
                     [](const Check& check) { return check.ok; });
}

std::string verdict_lines(const Reproduction& reproduction) {
  std::string out;
  for (const Claim& claim : reproduction.claims) {
    out += fmt::format("{}: {}; ours: {}{}\n", verdict(claim), claim.statement, claim.ours,
                       claim.holds || claim.why.empty() ? "" : "; " + claim.why);
  }
  for (const Check& check : reproduction.checks) {
    out += fmt::format("{}: {}; ours: {}\n", ok_text(check), check.statement, check.ours);
  }
  for (const std::string& skipped : reproduction.skipped) out += "skipped: " + skipped + "\n";
  for (const std::string& failed : reproduction.failed) out += "failed: " + failed + "\n";
  return out;
}

std::string to_markdown(const Reproduction& reproduction) {
  std::string out = fmt::format("## {}\n\n`strobe reproduce {} --out DIR`\n\n{}\n",
                                reproduction.title, reproduction.name, wrapped(reproduction.setup));
  for (const Figure& figure : reproduction.figures) {
    out += fmt::format("![{}]({}.svg)\n\n", figure.title, figure.name);
  }
  for (const Table& table : reproduction.tables) {
    out += wrapped(table.title + ":") + "\n" + row(table.header) + "|";
    for (size_t i = 0; i < table.header.size(); ++i) out += "---|";
    out += "\n";
    for (const std::vector<std::string>& cells : table.rows) out += row(cells);
    out += "\n";
  }
  if (!reproduction.claims.empty()) out += "| the paper | ours | verdict |\n|---|---|---|\n";
  for (const Claim& claim : reproduction.claims) {
    out += fmt::format("| {} | {} | {} |\n", claim.statement, claim.ours, verdict(claim));
  }
  out += reasons(reproduction.claims) + checks(reproduction.checks);
  for (const std::string& skipped : reproduction.skipped) out += "\nSkipped: " + skipped + ".\n";
  for (const std::string& failed : reproduction.failed) {
    out += wrapped("\nFailed, so not part of any number above: " + failed + ".");
  }
  return out + "\n";
}

}  // namespace strobe::reproduce
