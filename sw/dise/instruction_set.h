// What a pattern can match, derived from the instruction table.
#pragma once

#include <functional>
#include <string>

#include "sc_models/isa/decode/op.h"
#include "sc_models/port/retire.h"
#include "sw/dise/image/image.h"

namespace strobe::dise {

/// The instruction with that mnemonic; nullptr if there is none.
const isa::OpInfo* find_mnemonic(const std::string& name);

/// The opcode classes that an instruction can have, one bit each (a jal is a jump or a call).
uint16_t classes_of(const isa::OpInfo& op);

/// Whether some encoding of `op` can match the pattern.
bool can_match(const InstructionPattern& pattern, const isa::OpInfo& op);

/// An instruction that can match and does not have the property; nullptr when all have it.
const isa::OpInfo* one_without(const InstructionPattern& pattern,
                               const std::function<bool(const isa::OpInfo&)>& property);

/// Sets `mask` to the places of an immediate's bits in the instruction word, and `bits` to their
/// values for `value`. Returns false when the format cannot encode the value.
bool encode_immediate(isa::Immediate format, int64_t value, uint32_t& mask, uint32_t& bits);

/// The number, 0 to 31, of a register x0 to x31 or its ABI name; -1 for other names.
int integer_register(const std::string& name);

/// The mask of the classes with that name: an opcode class, proc_call (call, call_indirect) or
/// mem_op (load, store, amo). 0 for other names.
uint16_t classes_named(const std::string& name);
std::vector<std::string> class_names();
/// The classes as text, such as `load` or `call|call_indirect`.
std::string class_text(uint16_t classes);

}  // namespace strobe::dise
