// Keeps the coverage counts of a Verilated model in a file. Without VM_COVERAGE, which the build
// sets with Verilator's coverage options, the functions do nothing.
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

/// Writes the counts of the models of `context` to a new file in the folder $STROBE_COVERAGE_DIR,
/// if it is set. Call it while the model exists. Throws std::runtime_error when the folder cannot
/// be written.
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

/// Clears the counts of the models of `context`: activity from a random state at power-up is no
/// stimulus.
inline void forget_coverage([[maybe_unused]] VerilatedContext& context) {
#if VM_COVERAGE
  context.coveragep()->zero();
#endif
}

}  // namespace strobe::profiling
