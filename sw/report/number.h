// Numbers of a sweep as text for people: at most four significant digits. Counts keep all their
// digits, because 16,384 rounded to 16,380 would be another design. Data formats have every digit.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace strobe::report {

/// 37378.5 as "37,380", 0.872665 as "0.8727".
std::string rounded(double value);

/// A whole number with all its digits, "16,384"; any other as rounded() gives it.
std::string exact_or_rounded(double value);

/// A column of numbers: counts if all are whole, otherwise every one is rounded.
class NumberColumn {
 public:
  void add(const std::optional<double>& value);
  /// A value of the column; "-" without one. A half-width of its interval follows if it has one;
  /// "± -" does if `expected` says that others have.
  std::string text(const std::optional<double>& value,
                   const std::optional<double>& half_width = std::nullopt,
                   bool expected = false) const;

 private:
  bool whole_ = true;
};

}  // namespace strobe::report
