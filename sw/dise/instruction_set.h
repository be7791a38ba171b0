// What a pattern can match, told from the instruction table.
#pragma once

#include <functional>
#include <string>

#include "sc_models/isa/op.h"
#include "sc_models/port/retire.h"
#include "sw/dise/image.h"

namespace strobe::dise {

/// The instruction called so; nullptr if there is none.
const isa::OpInfo* find_mnemonic(const std::string& name);

/// Opcode classes an instruction can be of, one bit each (a jal is a jump or a call).
uint16_t classes_of(const isa::OpInfo& op);

/// Whether some instruction of this kind can match.
bool can_match(const InstructionPattern& pattern, const isa::OpInfo& op);

/// An instruction that can match and has not got the property; nullptr when all have it.
const isa::OpInfo* one_without(const InstructionPattern& pattern,
                               const std::function<bool(const isa::OpInfo&)>& property);

/// Where the bits of an immediate stand in the instruction word, and what they are for `value`.
/// False when the format cannot have that value.
bool encode_immediate(isa::Immediate format, int64_t value, uint32_t& mask, uint32_t& bits);

/// 0 to 31 of x0 to x31 or its ABI name; -1 for other names.
int integer_register(const std::string& name);

/// The opcode classes' names, then proc_call (call, call_indirect) and mem_op (load, store, amo):
/// a mask of classes, 0 for other names.
uint16_t classes_named(const std::string& name);
std::vector<std::string> class_names();
/// `load`, `call|call_indirect`.
std::string class_text(uint16_t classes);

}  // namespace strobe::dise
