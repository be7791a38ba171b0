// The control flow of a program before it is edited.
#pragma once

#include "sc_models/port/control_flow.h"
#include "sw/instrument/edited_program.h"

namespace strobe::instrument {

/// From the objects of the program, which are linked again to learn where they are. Throws
/// object::ObjectError as link_edit() does.
ControlFlow original_flow(const LinkedProgram& program);

}  // namespace strobe::instrument
