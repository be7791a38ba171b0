// What inserted code of every kind is made of: free registers, accesses to the runtime's data,
// calls of its routines.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sw/object/analysis/code.h"
#include "sw/object/analysis/registers.h"
#include "sw/object/edit/editor.h"
#include "sw/object/file/object_file.h"

namespace strobe::instrument {

/// Up to `count` registers for new code that are not among `not_these`, those first that compressed
/// instructions and arguments use least.
std::vector<unsigned> free_registers(object::Registers not_these, unsigned count);

/// The global symbols of an object by name. Nothing else adds or renames one meanwhile.
class Globals {
 public:
  explicit Globals(object::ObjectFile* file);

  /// The index of the symbol of this name; an undefined one is added when there is none.
  uint32_t operator[](const std::string& name);

 private:
  object::ObjectFile* file_;
  std::unordered_map<std::string, uint32_t> index_;
};

/// Saves registers in a new frame of the stack, and takes it away again. A stack is of one thread,
/// a signal handler leaves what is below its frame alone, and sp is set before gp and tp are.
void push(object::Snippet* code, const std::vector<unsigned>& registers);
void pop(object::Snippet* code, const std::vector<unsigned>& registers);
/// Bytes of that frame, which keeps sp aligned.
int32_t frame_of(const std::vector<unsigned>& registers);

/// Puts a number below 2^31 into a register, in one instruction or two.
void add_number(object::Snippet* code, unsigned reg, uint32_t number);

/// An access to the runtime's data in one instruction, in reach of gp.
void add_load(object::Snippet* code, Globals* globals, bool word, unsigned reg, const char* symbol);
void add_store(object::Snippet* code, Globals* globals, bool word, unsigned reg,
               const char* symbol);
/// A call that links in `reg`.
void add_call(object::Snippet* code, Globals* globals, unsigned reg, const std::string& routine);

/// No-operations that the linker deletes as far as the alignment needs none. @param to  bytes, a
/// power of two that the section has
object::Snippet alignment(uint32_t to);

/// Whether the instruction is a direct jump or call of one instruction to another object, which
/// does not reach over all the new code.
bool is_short_jump_away(const object::ObjectFile& file, const object::Instruction& instruction);
/// In its place, what the assembler's `tail` and `call` are; the linker shortens them where it can.
object::Snippet far_jump(const object::Instruction& jump, uint32_t target, int64_t addend = 0);

}  // namespace strobe::instrument
