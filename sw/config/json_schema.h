// The JSON schema (draft-07) of a run file: what editors check and complete with.
#pragma once

#include <string>

namespace strobe::config {

std::string json_schema();

}  // namespace strobe::config
