#include "sw/reproduce/reproduction.h"

#include <fmt/format.h>

namespace strobe::reproduce {
namespace {

std::string verdict(const Claim& claim) {
  if (claim.holds) return "holds";
  return "differs" + (claim.why.empty() ? "" : ": " + claim.why);
}

}  // namespace

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
  out += "| the paper | ours | verdict |\n|---|---|---|\n";
  for (const Claim& claim : reproduction.claims) {
    out += fmt::format("| {} | {} | {} |\n", claim.statement, claim.ours, verdict(claim));
  }
  for (const std::string& skipped : reproduction.skipped) out += "\nSkipped: " + skipped + ".\n";
  return out + "\n";
}

}  // namespace strobe::reproduce
