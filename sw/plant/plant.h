// Selection by binary modification (ISCA 2001, section 2.1): plants markers in RISC-V assembly.
//
// A marker is `sltiu x0, x0, N`, a HINT for custom use, before an instruction that is to be
// profiled. docs/blocks/selector.md describes how a selector slot uses it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::plant {

/// The instructions that get a marker before them.
enum class Target {
  kLoads,
  kBranches,      // conditional branches
  kCalls,         // direct and indirect
  kVirtualCalls,  // the load of the method-table pointer, whose value is the object's type
};

struct Options {
  Target target = Target::kLoads;
  unsigned number = 0;                 // N, 0 to 15
  std::vector<std::string> functions;  // assembler names; empty: everywhere
};

struct Planted {
  std::string text;  // the assembly with its markers
  uint64_t markers = 0;
  std::vector<std::string> missing;  // those Options::functions that the assembly does not have
};

/// @param assembly  as gcc -S writes it Throws std::invalid_argument when the number is
/// above 15.
///
/// A virtual call is recognized by its shape, in code without a label in between: a load of the
/// table pointer `ld t, 0(object)`, a load of the method `ld m, offset(t)`, and an indirect jump
/// through m. A call through a table of functions that a C program keeps in its objects has the
/// same shape.
Planted plant(const std::string& assembly, const Options& options);

}  // namespace strobe::plant
