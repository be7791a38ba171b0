// How often each block and each edge of a graph is executed: an edge profile ("Ephemeral
// Instrumentation for Lightweight Program Profiling", section 3, the right side of figure 2).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sc_models/port/control_flow.h"
#include "sw/profile/counts/profile.h"

namespace strobe::profile {

/// Frequencies of one function. What they are relative to, the maker says: edge_profile() of
/// markov.h gives executions for each entry of the function, min_cost_flow() executions in the run.
struct EdgeProfile {
  std::vector<double> blocks;       // by block
  std::vector<double> edges;        // by edge of the graph
  std::vector<uint32_t> unseen;     // blocks with several ways none of which was seen
  std::vector<uint32_t> unreached;  // blocks that no way leads to from the entry: frequency 0
  std::vector<uint32_t> endless;    // a header of each loop that has no way out
  std::vector<uint32_t> limited;    // a header of each loop that the limit of iterations shortened
};

/// The edge profiles of all functions of a program, and how often each function is entered. The
/// frequency of a block in the program is its frequency in the function times the entries.
struct ProgramProfile {
  std::vector<EdgeProfile> functions;  // as ControlFlow::functions
  std::vector<double> entries;         // by function, for one entry of the root
  std::vector<uint32_t> limited;       // functions whose recursion the limit shortened
  std::vector<uint64_t> unresolved;    // pcs of indirect calls of which no callee was seen
};

/// The branches of a program in the project's form: tuples {tag, pc of the branch, address where
/// control arrives}, conditional branches and indirect jumps only. The frequencies are scaled to
/// `total` events and rounded; what rounds to 0 is left out.
Profile branch_profile(const ControlFlow& flow, const ProgramProfile& frequencies, uint8_t tag,
                       uint64_t total);

/// The part of a profile of edges that is about the branches of `flow`: without returns, and
/// without code that `flow` does not know.
Profile of_branches(const Profile& profile, const ControlFlow& flow);

/// Finds frequencies by address.
class FrequencyTable {
 public:
  FrequencyTable(const ControlFlow& flow, const ProgramProfile& frequencies);

  /// The frequency of the block that begins at `pc`; 0 if none does.
  double block(uint64_t pc) const;
  /// That of the edge from the instruction at `pc`, the last of its block, to `target`; 0 if there
  /// is none.
  double edge(uint64_t pc, uint64_t target) const;

 private:
  std::vector<std::pair<uint64_t, double>> blocks_;                      // by address
  std::vector<std::pair<std::pair<uint64_t, uint64_t>, double>> edges_;  // by pc and target
};

}  // namespace strobe::profile
