#include "sw/reproduce/hps/hps.h"

#include <fmt/format.h>

#include <cmath>

namespace strobe::reproduce::hps {

double Split::overhead(uint64_t cycles) const { return Overhead{baseline, cycles, 0}.fraction(); }

double Overhead::fraction() const {
  return (static_cast<double>(cycles) - static_cast<double>(baseline)) /
         static_cast<double>(baseline);
}

Parts parts_of(const Split& split, Profile profile) {
  const Cycles& cycles = split.of[profile];
  Parts parts;
  parts.basic = split.overhead(split.plain_basic);
  parts.checks = split.overhead(cycles.plain_checks) - parts.basic;
  parts.profiling = split.overhead(cycles.plain) - parts.basic - parts.checks;
  return parts;
}

std::string Machine::text() const {
  return fmt::format(
      "{} wide, {} stages, {} entries of the reorder buffer, {} reservation stations, {} and {} KB "
      "L1s, {} KB L2, {} patterns, {} replacement entries, {} cycle a replacement",
      width, stages, rob, stations, l1i_kb, l1d_kb, l2_kb, patterns, replacements, stall_cycles);
}

Claim machine_claim(const Machine& ours) {
  const std::string papers = Machine().text();
  return claim("the machine is " + papers, ours.text(), ours.text() == papers,
               "configs/cores/hps2005.yaml or the engine's defaults were changed");
}

bool about(double paper, double ours) { return std::abs(ours - paper) <= 0.25 * std::abs(paper); }

std::optional<double> mean(const std::vector<std::optional<double>>& values) {
  double sum = 0;
  size_t count = 0;
  for (const std::optional<double>& value : values) {
    sum += value.value_or(0);
    count += value.has_value();
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

}  // namespace strobe::reproduce::hps
