// The issue slots and functional units of a core.
#pragma once

#include "sc_models/core/back_end/issue_slots.h"
#include "sc_models/core/back_end/operation.h"
#include "sc_models/core/params.h"

namespace strobe::core {

struct ExecutionResources {
  explicit ExecutionResources(const CoreParams& params)
      : unit{params.alu, params.mul, params.div, params.fp, params.fp_div, params.mem},
        slots(params.issue_width, unit) {}

  UnitParams unit[kUnitCount];
  IssueSlots slots;
};

}  // namespace strobe::core
