// Ephemeral instrumentation ("Ephemeral Instrumentation for Lightweight Program Profiling", section
// 2): every conditional branch and every indirect jump or call gets a stub that counts its
// executions. While a branch is hooked, a jump to the stub stands in its place; nothing else of the
// program's layout ever changes.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/instrument/edited_program.h"
#include "sw/object/analysis/program.h"
#include "sw/object/file/address_table.h"

namespace strobe::instrument {

struct EphemeralOptions {
  bool library = true;  // else only objects that the link command names are edited
  /// Stubs stand after their branches, after so many bytes of a section at the latest: a jump
  /// reaches 1 MiB.
  uint32_t island_bytes = 1u << 19;
};

/// A conditional branch, or an indirect jump or call, with a stub.
struct Hook {
  object::ObjectPlace branch;  // in the original objects
  // Symbols of the edited object: the branch, the stub's code, the stub's data (strobe_stub_t).
  uint32_t branch_symbol = 0, code_symbol = 0, data_symbol = 0;
  /// The targets that the array of a jump or call has room for, the last one left out; 0: a branch.
  uint32_t targets = 0;
  /// The nearest one whose block dominates this one's, an index of Ephemeral::hooks: this one is
  /// not executed before it. kNone without one.
  uint32_t dominator = object::kNone;
};

struct EphemeralCounts {
  uint64_t functions = 0, branches = 0, jumps = 0, islands = 0;
  uint64_t expanded = 0;  // branches that were compressed: a hook takes four bytes
  uint64_t spills = 0;    // registers that stubs save because too few were free
  uint64_t bytes_before = 0, bytes_after = 0;  // of code; stubs have their data with them
};

struct Ephemeral {
  Edit edit;
  std::vector<Hook> hooks;
  EphemeralCounts counts;
  std::vector<object::LeftAlone> left_alone;
};

/// Edits every object of `program`, which is used up.
/// @param runtime  the compiled sw/guest/ephemeral/unhook.c
Ephemeral make_ephemeral(object::Program* program, std::vector<uint8_t> runtime,
                         const EphemeralOptions& options);

}  // namespace strobe::instrument
