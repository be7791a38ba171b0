// What a sweep has to know of the rest of Strobe.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "sw/config/load.h"
#include "sw/explore/launch/synthesized.h"

namespace strobe::explore {

struct Environment {
  std::string strobe;  // the path of the program
  /// The hash of everything that a result depends on except the configuration and the files that it
  /// names.
  std::string identity;
  std::string firmware;  // the path of the image that every run loads
  /// The identity of the RTL that a run simulates, as its manifest has it; null when it simulates
  /// none.
  std::function<nlohmann::json(const config::RunConfig&)> rtl;
  /// The files that syntheses read, by the keys that their report has under `inputs`; null when
  /// there are no syntheses.
  nlohmann::json synthesis_inputs;
  /// The RTL of a run's active profiler as text, which is the same for the same build; "" without
  /// RTL.
  std::function<std::string(const config::RunConfig&)> rtl_build;
  BlockOf block;
};

}  // namespace strobe::explore
