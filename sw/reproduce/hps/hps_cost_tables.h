// Figures and tables of what a collected event costs, and what its verdicts share with them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/reproduce/bootstrap.h"
#include "sw/reproduce/hps/hps_cost.h"

namespace strobe::reproduce::hps {

inline constexpr std::array<Prediction, 3> kIsolations = {kShared, kFrozen, kBanked};
inline constexpr std::array<Prediction, 5> kPredictions = {kShared, kFrozen, kBanked, kTage,
                                                           kPerfect};
/// At this rate, one event in so many, handlers are cold.
inline constexpr unsigned kCold = 5000;

/// Whether there is a run of the prediction with so many stages at 1/500.
bool is_measured(Prediction prediction, unsigned stages);
/// "1 stage", "3 stages"
std::string stages_text(unsigned stages);

/// All programs' events together: a program counts as often as it has events.
struct Together {
  AddedCycles added;
  double mispredictions = 0;
  uint64_t events = 0, handler_instructions = 0;
  std::optional<Interval> interval;  // cycles an event, over the programs that have any event

  double cycles() const;     // an event; there must be one
  std::string text() const;  // "163 (140 to 180)", or "none" without an event
};

Together together_of(const std::vector<Costed>& programs, const CostSetting& setting,
                     Profile profile);

Figure cost_figure(const std::vector<Costed>& programs, Profile profile);
std::vector<Table> cost_tables(const std::vector<Costed>& programs);

}  // namespace strobe::reproduce::hps
