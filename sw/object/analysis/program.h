// All objects of a program together: which function a symbol means, the calls, and what a call
// may change.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sw/object/analysis/call_graph.h"
#include "sw/object/analysis/code.h"
#include "sw/object/analysis/references.h"
#include "sw/object/analysis/registers.h"
#include "sw/object/file/frames.h"
#include "sw/object/file/link_record.h"
#include "sw/object/file/object_file.h"

namespace strobe::object {

struct ProgramObject {
  ObjectFile file;
  std::vector<Code> codes;
  std::vector<Handlers> handlers;
  References references;

  explicit ProgramObject(ObjectFile object);
  /// Decodes again what an edit has changed.
  void refresh();
  /// Keeps the file alone, after the last edit.
  void forget_code();
  const Code* code_of(uint32_t section) const;
};

struct ProgramFunction {
  uint32_t object = 0;
  Function function;
  std::string name;
};

class Program {
 public:
  /// `inputs` in the order of the linker. Throws ObjectError.
  explicit Program(std::vector<LinkInput> inputs);

  std::vector<ProgramObject>& objects() { return objects_; }
  const std::vector<ProgramObject>& objects() const { return objects_; }
  const std::vector<ProgramFunction>& functions() const { return functions_; }
  const CallGraph& calls() const { return calls_; }

  /// The function that a symbol of an object means, also across objects; kNone if there is none.
  uint32_t function_of(uint32_t object, uint32_t symbol) const;
  /// The function at whose beginning a direct call or jump of an object arrives; kNone without one.
  uint32_t callee_of(uint32_t object, const Instruction& instruction) const;
  /// The function that begins at a place; kNone if none does.
  uint32_t function_at(uint32_t object, uint32_t section, uint32_t offset) const;
  /// What a call of the function may change: by itself and by what it calls in its own object.
  /// Elsewhere, and where that is not known, all that the convention allows.
  Registers changed_by(uint32_t function) const { return changed_[function]; }
  /// The same for one call of `object`.
  Registers changed_by(uint32_t object, const Instruction& call) const;

 private:
  /// The function that covers a place; kNone if none does.
  uint32_t function_around(uint32_t object, const Location& place) const;
  void find_functions();
  void connect();
  void find_changes();

  std::vector<ProgramObject> objects_;
  std::vector<ProgramFunction> functions_;
  std::unordered_map<uint64_t, uint32_t> by_place_;    // object, section and offset
  std::unordered_map<std::string, uint32_t> by_name_;  // of global symbols
  CallGraph calls_;
  std::vector<Registers> changed_;
};

}  // namespace strobe::object
