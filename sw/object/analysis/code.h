// The instructions and functions of one section of an object, decoded by the table of
// sc_models/isa.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/isa/decode/decoded.h"
#include "sw/object/file/object_file.h"

namespace strobe::object {

/// How control leaves an instruction. A call comes back; a tail call does not.
enum class Flow : uint8_t {
  kNext,          // to the instruction after it
  kBranch,        // to its target or the one after it
  kJump,          // to its target, inside the function
  kCall,          // direct, then to the one after it
  kIndirectCall,  // then to the one after it
  kTailCall,      // direct, to another function
  kOtherPart,     // direct, to a label of another function, as to the cold part of this one
  kIndirectJump,  // by a table, or an indirect tail call
  kReturn,
  kStop,  // ebreak, or bytes that are no instruction
};

inline constexpr uint32_t kNone = ~uint32_t{0};

struct Instruction {
  uint32_t offset = 0;
  uint8_t size = 0;
  Flow flow = Flow::kNext;
  /// It belongs to the one before it: the jalr of a call, or the no-ops of an alignment. Nothing
  /// goes between them.
  bool glued = false;
  uint32_t relocation = kNone;  // index of the one that says what it refers to; kNone without one
  /// Of a branch, jump or direct call: the symbol it goes to, how far beyond it, and where that is
  /// when it is in this section; else kNone.
  uint32_t target_symbol = kNone;
  int64_t target_addend = 0;
  uint32_t target = kNone;
  isa::DecodedInsn insn;
};

/// A symbol of type FUNC with a size; several names of one place are one function.
struct Function {
  uint32_t section = 0, start = 0, end = 0;
  std::vector<uint32_t> symbols;
};

/// A place that is not edited, and why: "FILE: NAME: it has no size; ...".
struct LeftAlone {
  std::string place, reason;
};

class Code {
 public:
  /// Decodes section `section`. Every branch and jump inside it has a relocation afterwards: the
  /// one that the assembler needs none for, the inverted branch over a far jump, is given one.
  /// Throws ObjectError when others have none, as in an object that clang 14 assembled.
  Code(ObjectFile* file, uint32_t section);

  uint32_t section() const { return section_; }
  const std::vector<Instruction>& instructions() const { return instructions_; }
  const std::vector<Function>& functions() const { return functions_; }  // by start
  const std::vector<LeftAlone>& left_alone() const { return left_alone_; }

  /// Index of the instruction that begins at `offset`, or the number of instructions when none
  /// does.
  size_t at(uint64_t offset) const;
  /// Whether code can be inserted at `offset`: an instruction begins there that does not belong to
  /// the one before it, or the section ends.
  bool is_boundary(uint64_t offset) const;

 private:
  void decode(const ObjectFile& file);
  void relate(ObjectFile* file);
  bool fits(uint32_t relocation, size_t index) const;
  uint64_t end_of_padding(const ObjectFile& file, const Relocation& alignment) const;
  void restore_far_branches(ObjectFile* file);
  void find_functions(const ObjectFile& file);
  void classify(const ObjectFile& file);

  uint32_t section_;
  std::vector<Instruction> instructions_;
  std::vector<uint32_t> index_of_halfword_;
  std::vector<Function> functions_;
  std::vector<LeftAlone> left_alone_;
};

}  // namespace strobe::object
