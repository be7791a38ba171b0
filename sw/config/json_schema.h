// JSON schemas (draft-07) of run files and of their parts: what editors check and complete with.
#pragma once

#include <string>

#include "sw/config/parts.h"

namespace strobe::config {

/// The schema of a run file.
std::string json_schema();

/// The schema of a file that is a part of a run.
std::string json_schema(const Part& part);

}  // namespace strobe::config
