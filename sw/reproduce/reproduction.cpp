#include "sw/reproduce/reproduction.h"

#include <fmt/format.h>

#include <utility>

namespace strobe::reproduce {
namespace {

std::string verdict(const Claim& claim) {
  if (claim.holds) return "holds";
  return "differs" + (claim.why.empty() ? "" : ": " + claim.why);
}

std::string row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + cell + " |";
  return out + "\n";
}

}  // namespace

Claim claim(std::string statement, std::string ours, bool holds, std::string why) {
  return {std::move(statement), std::move(ours), holds, holds ? "" : std::move(why)};
}

std::string percent(double fraction) { return fmt::format("{:.2f} %", 100 * fraction); }

std::string verdict_lines(const Reproduction& reproduction) {
  std::string out;
  for (const Claim& claim : reproduction.claims) {
    out += fmt::format("{}: {}; ours: {}{}\n", claim.holds ? "holds" : "differs", claim.statement,
                       claim.ours, claim.holds || claim.why.empty() ? "" : "; " + claim.why);
  }
  for (const std::string& skipped : reproduction.skipped) out += "skipped: " + skipped + "\n";
  return out;
}

std::string to_markdown(const Reproduction& reproduction) {
  std::string out = fmt::format("## {}\n\n{}\n`strobe reproduce {} --out DIR`\n\n",
                                reproduction.title, reproduction.setup, reproduction.name);
  for (const Figure& figure : reproduction.figures) {
    out += fmt::format("![{}]({}.svg)\n\n", figure.title, figure.name);
  }
  for (const Table& table : reproduction.tables) {
    out += table.title + ":\n\n" + row(table.header) + "|";
    for (size_t i = 0; i < table.header.size(); ++i) out += "---|";
    out += "\n";
    for (const std::vector<std::string>& cells : table.rows) out += row(cells);
    out += "\n";
  }
  out += "| the paper | ours | verdict |\n|---|---|---|\n";
  for (const Claim& claim : reproduction.claims) {
    out += fmt::format("| {} | {} | {} |\n", claim.statement, claim.ours, verdict(claim));
  }
  for (const std::string& skipped : reproduction.skipped) out += "\nSkipped: " + skipped + ".\n";
  return out + "\n";
}

}  // namespace strobe::reproduce
