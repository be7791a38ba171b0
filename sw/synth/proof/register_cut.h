// Two designs cut at their registers and memories: the remaining logic has no state and can be
// compared.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace strobe::synth {

/// Networks without state, in BLIF, with the same inputs and outputs by name. They have the inputs
/// and outputs of the block. For each register and memory that both have, they also have what it
/// holds ("count_q[3].Q") as an input and what comes to its pins ("count_q[3].D") as outputs. If
/// the networks are equal, the designs behave the same from then on once their registers and
/// memories hold the same.
struct CutPair {
  std::string rtl, netlist;
  std::string difference = "";  // a register that is of another kind in the netlist; empty: none
  std::vector<std::string> unknown;  // the netlist's registers that the RTL does not have
};

/// How the netlist's registers are matched with those of the RTL.
enum class Correspondence {
  kNames,   ///< those of the same name
  kValues,  ///< those, and all that hold the same, or never change, in a simulation; it may be
            ///< mistaken there, and then the pair differs although the designs do not
};

/// Cuts two designs (read_gate_network). A register is identified by the names of its output, so
/// one register of the netlist may stand for several of the RTL that hold the same, and a constant
/// for one that never changes. A memory is identified by the name of its instance. A register or
/// memory that only one design has may hold any value.
CutPair cut_at_registers(const nlohmann::json& rtl, const nlohmann::json& netlist,
                         Correspondence by = Correspondence::kNames);

}  // namespace strobe::synth
