// Measured overhead beside that of the paper's model (section 5.3.2): H[P_256]_2048 on the same
// instructions of each program, with every way that its messages can reach software.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sw/reproduce/added_cycles.h"
#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce::isca2001 {

/// Load values (section 5.3), or edges and call targets at once (figure 11).
enum Profiled : uint8_t { kValues, kEdgesAndCalls };
inline constexpr std::array<const char*, 2> kProfiledNames = {"load values",
                                                              "edges and call targets"};
/// The handler reads a message over the bus or in the core, or a thread on a second core reads it
/// from a ring in memory.
enum Way : uint8_t { kBus, kCore, kRing };
inline constexpr std::array<const char*, 3> kWayNames = {"over the bus", "in the core",
                                                         "through a ring"};

/// A run with the sampler.
struct Delivery {
  uint64_t cycles = 0, messages = 0, interrupts = 0;
  AddedCycles added;  // to the baseline
};

/// A program.
struct Delivered {
  std::string program;
  uint64_t baseline = 0;  // cycles of the same instructions without a profiler
  std::array<std::array<Delivery, kWayNames.size()>, kProfiledNames.size()> by;

  /// Fractions of the baseline: what the run took more, and what its messages and interrupts cost
  /// by the model.
  double measured(Profiled profiled, Way way) const;
  double analytical(Profiled profiled, Way way) const;
};

/// Takes at least one program; the caller says what ran, in `setup`. Programs with too few messages
/// are left out of what is said of that profile, and named in `skipped`.
Reproduction measured(const std::vector<Delivered>& programs);

}  // namespace strobe::reproduce::isca2001
