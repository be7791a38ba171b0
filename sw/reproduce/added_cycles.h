// Where the cycles go that profiling adds to a program.
#pragma once

#include <cstdint>
#include <string>

#include "sw/result/overhead_by_class.h"

namespace strobe::reproduce {

/// The cycles that a run takes more than its baseline, by what keeps the program from committing
/// (docs/blocks/core.md, "The CPI stack"). A part is negative where the run takes fewer.
struct AddedCycles {
  double entry = 0;     // to a handler and back: classes interrupt_entry and expansion
  double handler = 0;   // class handler: its work, its misses and its mispredictions
  double branches = 0;  // class branch: mispredictions of the program
  double caches = 0;    // classes ifetch, l1, l2 and dram: misses of the program
  double rest = 0;      // all other classes

  double all() const { return entry + handler + branches + caches + rest; }
  AddedCycles& operator+=(const AddedCycles& other);
};

/// Throws std::invalid_argument when one of the runs has no stack.
AddedCycles added_cycles(const result::CpiStack& run, const result::CpiStack& baseline);

/// What the five numbers of parts_text() are, for the title of a table.
inline constexpr const char* kPartsTitle =
    "all: entry, handler, branches of the program, its caches, the rest";
/// "61.1: 2.0, 57.4, 0.4, 1.2, 0.1": the cycles of one of `count` things. Takes at least one.
std::string parts_text(const AddedCycles& added, uint64_t count);

}  // namespace strobe::reproduce
