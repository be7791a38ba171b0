#include "sw/reproduce/hps/hps.h"

#include <fmt/format.h>

#include "sw/reproduce/verdict.h"

namespace strobe::reproduce::hps {
namespace {

constexpr const Limit& kLeastEvents = limit("hps-events");

}  // namespace

double Costs::overhead(uint64_t cycles) const {
  return (static_cast<double>(cycles) - static_cast<double>(baseline)) /
         static_cast<double>(baseline);
}

Parts parts_of(const Costs& costs) {
  Parts parts;
  parts.basic = costs.overhead(costs.plain_basic);
  parts.checks = costs.overhead(costs.plain_checks) - parts.basic;
  parts.profiling = costs.overhead(costs.plain) - parts.basic - parts.checks;
  return parts;
}

std::string Machine::text() const {
  return fmt::format(
      "{} wide, {} stages, {} entries of the reorder buffer, {} reservation stations, {} and {} KB "
      "L1s, {} KB L2, {} patterns, {} replacement entries, {} cycle a replacement",
      width, stages, rob, stations, l1i_kb, l1d_kb, l2_kb, patterns, replacements, stall_cycles);
}

Check machine_check(const Machine& ours) {
  const std::string papers = Machine().text();
  return {"the machine is " + papers, ours.text(), ours.text() == papers};
}

std::string too_few(const std::string& what, const Events& by_program) {
  std::string text;
  for (const auto& [program, events] : by_program) {
    if (static_cast<double>(events) >= kLeastEvents.least) continue;
    text += fmt::format("{} {} {}", text.empty() ? ":" : ",", program, events);
  }
  return text.empty() ? text : what + text;
}

Claim with_enough(Claim claim, const std::vector<std::string>& lacking) {
  std::string text;
  for (const std::string& one : lacking) {
    if (!one.empty()) text += (text.empty() ? "" : "; ") + one;
  }
  if (text.empty()) return claim;
  return undecided(
      std::move(claim.statement), std::move(claim.ours),
      fmt::format("fewer than {:.0f} events were collected of {}", kLeastEvents.least, text));
}

}  // namespace strobe::reproduce::hps
