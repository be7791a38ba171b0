// The standard input of a run, which its manifest names by what it held at the start.
#pragma once

#include <sys/stat.h>

#include <string>

#include "sc_models/machine/config/run_config.h"

namespace strobe {

/// Tells whether the file still is what was hashed before the program executed. The program reads
/// it bit by bit, so another process that writes to it changes what is read.
class StandardInput {
 public:
  StandardInput() = default;
  ~StandardInput();
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

  /// Before the program executes. What the program itself may write is not watched: then each run
  /// changes it alike.
  /// @param descriptor  as the run reads it; -1: there is none
  /// @param sha256      what the manifest says of it
  void watch(const config::WorkloadConfig& workload, int descriptor, std::string sha256);
  /// After the run. Throws std::runtime_error when another process has written to the file.
  void expect_unchanged() const;

 private:
  std::string name_, sha256_;
  int descriptor_ = -1;
  struct stat before_ = {};
};

}  // namespace strobe
