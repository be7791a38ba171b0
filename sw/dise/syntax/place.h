// Places in production files, and the faults that are found there.
#pragma once

#include <string>

#include "sw/text/diagnostic.h"

namespace strobe::dise {

struct Place {
  std::string file;
  int line = 0, column = 0;  // counted from 1
};

/// Thrown to abandon a construct whose fault has been added to the Faults.
struct Reported {};

/// Collects the faults of the files.
class Faults {
 public:
  void add(const Place& place, const std::string& message) {
    text::Diagnostic fault;
    fault.file = place.file;
    fault.line = place.line;
    fault.column = place.column;
    fault.message = message;
    faults_.push_back(fault);
  }
  bool none() const { return faults_.empty(); }
  text::Diagnostics take() { return std::move(faults_); }

 private:
  text::Diagnostics faults_;
};

}  // namespace strobe::dise
