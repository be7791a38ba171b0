// The JSON schema (draft-07) of a sweep file, with which editors check and complete it.
#pragma once

#include <string>

namespace strobe::explore {

/// The schema as text. Only `strobe sweep` can check that keys and values fit the run file.
std::string sweep_schema();

}  // namespace strobe::explore
