// Why there is no report.
#pragma once

#include <stdexcept>

namespace strobe::report {

/// What a report cannot be made of: one sentence with what, where, expected, got, what to do.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace strobe::report
