// Register renaming inside a region (Hwu et al., "The Superblock", Journal of Supercomputing 1993,
// section 3.2): a value gets a register of its own, so that it need not wait for the last use of
// another one, nor for a branch on whose way out the register holds a value.
#pragma once

#include "sw/optimize/schedule/region.h"

namespace strobe::optimize {

/// Renames values whose uses are all in the region, as far as there are caller-saved registers that
/// hold nothing in it.
void rename_registers(Region* region);

}  // namespace strobe::optimize
