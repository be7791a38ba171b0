// What a collected event costs, and of what that depends: how the branches of the handlers are
// predicted, in how many stages the engine works, and how often an event is collected.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sw/reproduce/added_cycles.h"
#include "sw/reproduce/hps/hps.h"

namespace strobe::reproduce::hps {

/// The predictor and its isolation: gshare, which the core has, with each isolation, and two better
/// ones as bounds.
enum Prediction : uint8_t { kShared, kFrozen, kBanked, kTage, kPerfect };
inline constexpr std::array<const char*, 5> kPredictionNames = {
    "gshare, shared", "gshare, frozen", "gshare, banked", "tage, banked", "perfect"};
/// Stages in which the engine works.
inline constexpr std::array<unsigned, 3> kDepths = {1, 3, 5};
/// The profiles whose handlers are called for one event.
inline constexpr std::array<Profile, 2> kOfCalls = {kPairs, kMethods};

/// One of the runs that are compared.
struct CostSetting {
  Prediction prediction = kShared;
  unsigned stages = kDepths.front();
  unsigned frequency = kFrequencies[kRecommended];
};
/// Every prediction with one stage at 1/500, gshare with more stages too, and at 1/5000.
std::vector<CostSetting> cost_settings();
/// Throws std::invalid_argument when there is no such setting.
size_t place_of(const CostSetting& setting);

/// A profile of a program with one setting.
struct EventCost {
  uint64_t baseline = 0;  // cycles on the same core with the sampling framework alone
  uint64_t cycles = 0;    // with HPS
  uint64_t events = 0;    // collected
  uint64_t handler_instructions = 0;
  double mispredictions = 0;  // more than in the baseline, of program and handlers
  AddedCycles added;          // to the baseline

  double overhead() const;
};

/// A program; its runs by place in cost_settings().
struct Costed {
  std::string program;
  std::vector<std::array<EventCost, kOfCalls.size()>> by;

  /// `profile` is one of kOfCalls.
  const EventCost& of(const CostSetting& setting, Profile profile) const {
    return by[place_of(setting)][profile - kPairs];
  }
};

/// Takes at least one program; the caller says what ran, in `setup`, and what was skipped.
Reproduction cost(const std::vector<Costed>& programs);

}  // namespace strobe::reproduce::hps
