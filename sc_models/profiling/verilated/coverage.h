// What one Verilated model has counted, kept in a file, or nothing: VM_COVERAGE, which the build
// gives with Verilator's options for coverage, decides it.
#pragma once

#include <verilated.h>

#if VM_COVERAGE
#include <unistd.h>
#include <verilated_cov.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#endif

namespace strobe::profiling {

/// Writes the counts of the models of `context` to a new file of the folder $STROBE_COVERAGE_DIR,
/// if it is set; to be called while the model is there. Throws std::runtime_error when the folder
/// cannot be written.
inline void keep_coverage([[maybe_unused]] VerilatedContext& context) {
#if VM_COVERAGE
  const char* folder = std::getenv("STROBE_COVERAGE_DIR");
  if (folder == nullptr) return;
  constexpr int kEnding = 4;
  std::string file = std::string(folder) + "/XXXXXX.dat";
  const int descriptor = mkstemps(file.data(), kEnding);
  if (descriptor < 0)
    throw std::runtime_error("STROBE_COVERAGE_DIR: no file can be made in " + std::string(folder));
  close(descriptor);
  context.coveragep()->write(file.c_str());
#endif
}

/// Forgets what the models of `context` have counted: what a random state at power-up has run is no
/// stimulus.
inline void forget_coverage([[maybe_unused]] VerilatedContext& context) {
#if VM_COVERAGE
  context.coveragep()->zero();
#endif
}

}  // namespace strobe::profiling
