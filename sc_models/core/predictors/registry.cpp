// The table of direction predictors.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "sc_models/core/predictors/direction.h"

namespace strobe::core {

const std::vector<DirectionPredictorEntry>& direction_predictors() {
#define STROBE_PREDICTOR_ENTRY(name) \
  , { #name, make_##name }
  static const std::vector<DirectionPredictorEntry> entries = {
      {"perfect", nullptr} STROBE_DIRECTION_PREDICTORS(STROBE_PREDICTOR_ENTRY)};
#undef STROBE_PREDICTOR_ENTRY
  return entries;
}

const DirectionPredictorEntry& find_direction_predictor(const std::string& name) {
  std::vector<std::string> names;
  for (const DirectionPredictorEntry& entry : direction_predictors()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw std::invalid_argument(
      fmt::format("predictor.kind: expected one of {}, got '{}'", fmt::join(names, ", "), name));
}

}  // namespace strobe::core
