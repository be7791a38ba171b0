// The error of a report that cannot be made.
#pragma once

#include <stdexcept>

namespace strobe::report {

/// Why no report can be made: one sentence with what, where, expected, got, what to do.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace strobe::report
