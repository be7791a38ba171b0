// What a recorded stream says of its run beside the tuples: the header and the footer.
#pragma once

#include <nlohmann/json.hpp>

#include "sc_models/machine/outcome/outcome.h"

namespace strobe {

/// The outcome as a stream's footer keeps it: all but profiles, intervals and what was printed.
nlohmann::json outcome_to_json(const platform::RunOutcome& outcome);
/// Throws nlohmann::json::exception or std::invalid_argument on a document that is not one.
platform::RunOutcome outcome_from_json(const nlohmann::json& document);

}  // namespace strobe
