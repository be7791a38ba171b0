// From the end of a run to the exit code of the process.
#pragma once

#include "sc_models/machine/outcome/outcome.h"

namespace strobe {

int exit_code(const platform::RunOutcome& outcome);

}  // namespace strobe
