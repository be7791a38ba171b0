// What bursty tracing does to each function of a program: where its checks are, and what of it is
// instrumented (section 4 of the paper).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "sc_models/isa/decode/op.h"
#include "sw/instrument/bursty/bursty.h"
#include "sw/object/analysis/code.h"
#include "sw/object/analysis/program.h"
#include "sw/object/edit/editor.h"

namespace strobe::instrument {

inline const isa::OpInfo& info_of(const object::Instruction& instruction) {
  return isa::info(static_cast<isa::Op>(instruction.insn.op));
}
bool accesses_memory(const object::Instruction& instruction);
/// Tail calls among them.
bool is_call(const object::Instruction& instruction);
/// A jump that links, which is what a profile of calls counts.
bool is_linking_call(const object::Instruction& instruction);
bool records(const BurstyOptions& options, EventKind kind);

struct Plan {
  uint32_t function = 0;  // index in the program
  bool entry_check = false;
  std::set<uint32_t> checks;                 // instructions that a back-edge's check precedes
  std::map<uint32_t, object::Place> places;  // of them
  std::vector<bool> instrumented;            // by instruction from the function's first
  uint32_t first = 0, count = 0;             // its instructions
};

struct Plans {
  std::vector<Plan> plans;            // functions that are edited
  std::vector<uint32_t> of_function;  // index into `plans`; kNone of one that is left alone
  BurstyCounts counts;                // functions, checks and loops
  std::vector<object::LeftAlone> left_alone;
};

Plans plan_bursty(const object::Program& program, const BurstyOptions& options);

}  // namespace strobe::instrument
