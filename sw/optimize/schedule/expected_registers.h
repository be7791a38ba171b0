// Which caller-saved registers the callers of a function expect to find as they were. Within one
// object gcc keeps values in registers that a callee happens not to change (-fipa-ra), so a
// function may not simply use another one.
#pragma once

#include <vector>

#include "sw/object/analysis/program.h"
#include "sw/object/analysis/registers.h"

namespace strobe::optimize {

/// By function of Program::functions(), for those of `object`; the others have 0. What lives after
/// a call, over all direct calls of the function in its object; callers elsewhere follow the
/// convention. All caller-saved registers where a caller cannot be read.
std::vector<object::Registers> expected_registers(const object::Program& program, uint32_t object);

}  // namespace strobe::optimize
