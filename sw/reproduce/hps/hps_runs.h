// The runs that figures 6 to 8 of HPS are made of, and what is measured in them.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sc_models/run/run.h"
#include "sw/profile/streams/stream_profile.h"
#include "sw/reproduce/hps/hps.h"
#include "sw/reproduce/kept_results.h"
#include "sw/reproduce/million.h"
#include "sw/reproduce/reproduction_programs.h"

namespace strobe::hps {

/// The first `run` instructions of a program; `size` is the input of the project's workloads.
struct Extent {
  const char* size;
  uint64_t run;
};
/// The regions of figure 6, timed whole.
inline constexpr std::array<Extent, reproduce::hps::kProfiles> kSplitExtents = {
    {{"ref", 20 * kMillion}, {"ref", 40 * kMillion}, {"ref", 40 * kMillion}}};
/// The region in which each profile is measured with every setting, for figures 7 and 8. Calls are
/// rare, so theirs are long and their cycles are estimated (mode sampled). One grammar must hold
/// all references of data streams, so theirs is short and timed whole.
inline constexpr std::array<Extent, reproduce::hps::kProfiles> kExtents = {
    {{"ref", 20 * kMillion}, {"ref", 200 * kMillion}, {"ref", 200 * kMillion}}};
inline constexpr std::array<const char*, reproduce::hps::kProfiles> kTimed = {"timing", "sampled",
                                                                              "sampled"};
/// Mode sampled, in instructions: timed whole before the first unit, in a unit, and from one unit
/// to the next.
inline constexpr uint64_t kSamplingStart = 10 * kMillion, kSamplingUnit = 1000,
                          kSamplingInterval = 20'000;

/// The files of each profile, in configs/profilers/hps.
inline constexpr std::array<const char*, reproduce::hps::kProfiles> kProductions = {
    "hot-data-streams", "hot-call-pairs", "hot-methods"};

/// A production set and how it samples.
struct Sampling {
  std::vector<std::string> productions;
  uint64_t sparsity = 0, burst = 0;  // 0: as the files say
  bool lookup = true;                // false: nothing is matched
};
Sampling with_control(std::vector<std::string> profiles, unsigned burst, unsigned frequency);
Sampling at_random(reproduce::hps::Profile profile);
/// Without conditional control; calls and methods have the framework in their own file.
Sampling plain(reproduce::hps::Profile profile, uint64_t between, unsigned burst = 1);

/// What `--set` would say, but for the mode.
std::vector<std::string> sets_of(const ReproductionProgram& program, const Extent& extent,
                                 const Sampling& sampling);
std::string joined(const std::vector<std::string>& sets);
/// Hash of all that decides what the program does with these settings: the simulator, the effective
/// configuration and the bytes of the files that it names. Throws std::runtime_error when one
/// cannot be read.
std::string inputs_hash(const ReproductionProgram& program, const std::vector<std::string>& sets);

/// Throws std::runtime_error when the run does not get to its end or its handlers lose events.
/// @param exhaustive  as platform::RunHooks
platform::RunOutcome run(const config::LoadResult& loaded, bool exhaustive, bool profiled = true);

/// What the programs run on.
reproduce::hps::Machine machine_of(const ReproductionProgram& program);

/// The hot streams of all references of a region, by the subpath detector and by the other one.
struct AllStreams {
  uint64_t references = 0;
  std::array<profile::StreamProfile, 2> by;
};
/// Found by a functional run unless they are kept: a run with timing does not find them again.
AllStreams all_streams(KeptResults& kept, const ReproductionProgram& program);

/// What one run says: "cycles" (0 without timing, or where there is no estimate), "samples" (mode
/// sampled), "instructions", "injected" (not in mode sampled), "handler_bytes", and for each
/// profile that it collects, by its name in kFileNames, "events", how many there are in "all"
/// (calls only), and its accuracy.
/// @param mode  "timing", "sampled" or "functional"
/// @param all   scores data streams; may be null
nlohmann::json measured(KeptResults& kept, const ReproductionProgram& program, const Extent& extent,
                        const Sampling& sampling, const std::string& mode,
                        const AllStreams* all = nullptr);
/// measured() of the region with the lookup of the engine off.
nlohmann::json baseline_of(KeptResults& kept, const ReproductionProgram& program,
                           const Extent& extent, const std::string& mode);

/// Each runs what is not kept. @param kept_streams  what all_streams() keeps, which is large
reproduce::hps::Split split_of(KeptResults& kept, KeptResults& kept_streams,
                               const ReproductionProgram& program);
reproduce::hps::Sampled sampled_of(KeptResults& kept, KeptResults& kept_streams,
                                   const ReproductionProgram& program);

}  // namespace strobe::hps
