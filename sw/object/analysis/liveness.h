// Which registers hold values that are still wanted, before each instruction of a function.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sw/object/analysis/code.h"
#include "sw/object/analysis/flow_graph.h"
#include "sw/object/analysis/registers.h"

namespace strobe::object {

/// Registers that a call may change. Within one object gcc knows them of each function, and keeps
/// values in the others across the call (-fipa-ra), also in registers that the convention calls
/// caller-saved.
using ChangedByCall = std::function<Registers(const Instruction& call)>;

/// What the instruction reads, and what it writes, by itself.
Registers read_by(const Instruction& instruction);
Registers written_by(const Instruction& instruction);

class Liveness {
 public:
  /// @param changed  what the function itself may change, for its callers: caller-saved registers
  /// outside of it are live at
  ///                 its end
  Liveness(const Code& code, const FlowGraph& graph, Registers changed,
           const ChangedByCall& by_call);

  /// Before the instruction of this index, which is one of the function.
  Registers before(uint32_t instruction) const;

 private:
  uint32_t first_;
  std::vector<Registers> before_;
};

}  // namespace strobe::object
