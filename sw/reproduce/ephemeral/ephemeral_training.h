// Runs with the training input: what a profile costs, and what it says of the branches.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw/profile/counts/profile.h"
#include "sw/reproduce/kept_results.h"
#include "sw/reproduce/reproduction_programs.h"

namespace strobe::ephemeral {

/// The inputs of every program: profiles are of the one, cycles of the other.
enum class Input { kTraining, kTest };
inline constexpr const char* kTraining = "small";
inline constexpr const char* kTest = "tiny";

/// What `--set` would say.
using Sets = std::vector<std::string>;

/// A way to profile: its name in messages and among kept results, and its settings.
struct Way {
  std::string name;
  Sets sets;
};

Way ephemeral_way(unsigned persistence, uint64_t epoch, double jitter);
/// @param pause  checks between two bursts of 50
Way bursty_way(unsigned pause);
/// @param file  in configs/profilers, without its extension
Way sampler_way(const std::string& file);
/// The stratified sampler, which sees the bursts of HPS alone.
Way gated_way();

/// Settings of a run without a profiler. @param input  of a program that is in both sizes
Sets sets_of(const ReproductionProgram& program, Input input);
Sets joined(Sets sets, const Way& way);
/// Hash of all that decides a run of the program, edited or as it is, and of `more`.
std::string hash_of(const ReproductionProgram& program, const Sets& sets, const std::string& more);

/// Each runs what is not kept, and throws std::runtime_error when that fails. `name` is the run's
/// in messages.

/// Cycles of the program as it is.
uint64_t plain_cycles(KeptResults& kept, const ReproductionProgram& program,
                      const std::string& name, const Sets& sets);
/// How often every branch went where, as rows [pc, target, count].
nlohmann::json all_edges(KeptResults& kept, const ReproductionProgram& program,
                         const std::string& name, const Sets& sets);
/// A profiled run: `cycles`, `edges` as above, and of ephemeral instrumentation `bias_error` and
/// the recorded executions of each branch, `biases`, as rows [pc, taken, total].
nlohmann::json profiled(KeptResults& kept, const ReproductionProgram& program,
                        const std::string& name, const Sets& sets);

/// A profile of rows as above.
profile::Profile profile_of(const nlohmann::json& edges);

}  // namespace strobe::ephemeral
