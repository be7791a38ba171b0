// The JSON schema (draft-07) of a sweep file: what editors check and complete with.
#pragma once

#include <string>

namespace strobe::explore {

/// What a schema can say. The rest, that keys and values fit the run file, only strobe sweep knows.
std::string sweep_schema();

}  // namespace strobe::explore
