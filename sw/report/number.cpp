#include "sw/report/number.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "sw/result/number_text.h"

namespace strobe::report {
namespace {

constexpr double kMostGrouped = 1e15;  // larger numbers, and very small ones, have an exponent
constexpr double kLeastPlain = 1e-4;

bool is_whole(double value) { return std::abs(value) < kMostGrouped && value == std::trunc(value); }

std::string with_commas(double whole) {
  return (whole < 0 ? "-" : "") + result::grouped(static_cast<uint64_t>(std::abs(whole)));
}

}  // namespace

std::string rounded(double value) {
  const double size = std::abs(value);
  if (size < 1000 || size >= kMostGrouped || (size != 0 && size < kLeastPlain)) {
    const std::string text = fmt::format("{:.4g}", value);
    if (text != "1000" && text != "-1000") return text;
  }
  return with_commas(std::stod(fmt::format("{:.3e}", value)));
}

std::string exact_or_rounded(double value) {
  return is_whole(value) ? with_commas(value) : rounded(value);
}

void NumberColumn::add(const std::optional<double>& value) {
  whole_ = whole_ && (!value || is_whole(*value));
}

std::string NumberColumn::text(const std::optional<double>& value,
                               const std::optional<double>& half_width, bool expected) const {
  if (!value) return "-";
  const std::string number = whole_ ? with_commas(*value) : rounded(*value);
  if (!half_width) return expected ? number + " ± -" : number;
  return fmt::format("{} ± {}", number, rounded(std::stod(fmt::format("{:.1e}", *half_width))));
}

}  // namespace strobe::report
