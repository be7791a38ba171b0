// Two designs cut at their registers and memories: what is left has no state and can be compared.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace strobe::synth {

/// Networks without state, in BLIF, with the same inputs and outputs by name: those of the block,
/// and of each register and memory that both have what it holds ("count_q[3].Q") as an input and
/// what comes to its pins ("count_q[3].D") as outputs. If they are equal, the designs do the same
/// for ever, once their registers and memories hold the same.
struct CutPair {
  std::string rtl, netlist;
  std::string difference = "";  // a register that is of another kind in the netlist; empty: none
  std::vector<std::string> unknown;  // of the netlist's registers those that the RTL does not have
};

/// What the netlist's registers are in the RTL.
enum class Correspondence {
  kNames,   ///< those of the same name
  kValues,  ///< those, and all that hold the same, or never change, in a simulation; it may be
            ///< mistaken there, and then the pair differs although the designs do not
};

/// Cuts two designs (read_gate_network). A register is known by the names of its
/// output, so one of the netlist may stand for several of the RTL that hold the same, or a constant
/// for one that never changes; a memory by that of its instance. What only one of them has, holds
/// anything.
CutPair cut_at_registers(const nlohmann::json& rtl, const nlohmann::json& netlist,
                         Correspondence by = Correspondence::kNames);

}  // namespace strobe::synth
