#include "sw/reproduce/hps.h"

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
