// The control-flow graphs of a program in addresses of the linked program, for profiles, which are
// in these addresses.
#pragma once

#include "sc_models/port/control_flow.h"
#include "sw/object/analysis/program.h"
#include "sw/object/file/address_table.h"

namespace strobe::object {

/// The graphs of all functions of `program` that the linker kept. `addresses` must have read() the
/// linked program, and the objects must be as they were when add_anchors() gave them anchors.
///
/// - A part that the compiler split off, `f.cold`, belongs to the function `f`.
/// - A block whose bytes the linker deleted, such as padding, is one with the block after it.
/// - An edge from a call to a landing pad is left out: exceptions are taken to be rare.
/// - A call of code without a function symbol is a call whose callee is not known.
/// - An indirect jump leads to every label of the function whose address is taken, or leaves.
ControlFlow linked_flow(const Program& program, const AddressTable& addresses);

}  // namespace strobe::object
