// How often each function of a program is entered, so that frequencies of different functions can
// be compared: branch biases alone do not say that.
//
// The chain of the paper spans functions when a call leads to the callee's entry, and the callee's
// exits lead to the return points of its callers, in proportion to the calls. In its stationary
// distribution a call comes back as often as it is made, so the chain separates: each function is
// solved alone, and entries(f) = [f is a root] + sum over calls c of f: entries(caller of c) *
// frequency(block of c). tests/unit/profile/flow_program_test.cpp holds this against a simulated
// program with a stack.
#pragma once

#include <string>
#include <vector>

#include "sc_models/port/control_flow.h"
#include "sw/profile/counts/profile.h"
#include "sw/profile/flow/calls/function_entries.h"
#include "sw/profile/flow/edge_profile.h"
#include "sw/profile/flow/markov.h"

namespace strobe::profile {

struct ProgramOptions {
  MarkovOptions markov;
  /// The pcs, rising, of branches and of indirect jumps and calls that were watched until they were
  /// seen, as ephemeral instrumentation does: one that was never seen was not executed. A profile
  /// of samples has none.
  std::vector<uint64_t> watched;
  /// The pcs, rising, of branches and of indirect jumps whose every execution was seen. Their
  /// shares are exact, so they get no more than the least prior.
  std::vector<uint64_t> complete;
};

/// Edge profiles of all functions from the biases in `seen`, tuples {pc of the branch, address
/// where control arrived}, and their entries relative to one entry of the function `root`.
///
/// - A call comes back unless its callee has no way to return. Then the path ends at the call.
/// - An indirect call goes where the tuples of its pc in `seen` say. One that was not seen was not
///   executed when it was watched; else it goes to every function whose address is taken and that
///   is not known to be idle, in equal parts.
/// - Recursion is a loop over functions (function_entries.h): a cycle of calls is entered again at
///   most options.markov.loop_limit times; branches that were seen completely tell how often a deep
///   one is.
/// - Only what the root reaches has entries; the others keep frequencies for each entry, and 0
///   entries.
/// Throws FlowError as edge_profile() does, when there is no function `root`, and when more than
/// kMostRecursive functions call one another.
ProgramProfile program_profile(const ControlFlow& flow, const Profile& seen,
                               const std::string& root, const ProgramOptions& options = {});

}  // namespace strobe::profile
