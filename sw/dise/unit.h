// One production file: its names, and the compilation of its productions.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sw/dise/assemble.h"
#include "sw/dise/candidate.h"
#include "sw/dise/syntax/syntax.h"

namespace strobe::dise {

class Unit {
 public:
  /// `number` is the file's place in the production set. `limits` and `faults` are kept by
  /// reference.
  Unit(const SourceFile& file, size_t number, const Limits& limits, Faults& faults);

  /// Appends the entries of the file's productions. They point into this unit.
  void compile(std::vector<Candidate>& candidates);

  /// The dise registers that the file names.
  std::vector<NamedRegister> declared() const;

 private:
  void declare(const RegisterName& declared);
  const NamedRegister* find(const std::string& name) const;
  void check_names();
  void require_use(const Token& name, const char* what);
  template <typename Item>
  const Item* look_up(const std::vector<Item>& items, const Token& name, const char* what);
  void compile(const Production& production, std::vector<Candidate>& candidates);
  void add_ops(const std::vector<WrittenOp>& written, MicroOps& ops);
  uint8_t set_register(const WrittenOp& op, MicroOp::Kind kind);
  void check_uses(const Candidate& candidate);

  const size_t number_;
  const Limits& limits_;
  Faults& faults_;
  std::string stem_;  // the file's name without folder and extension
  SyntaxTree tree_;
  std::vector<NamedRegister> registers_;  // d0 to d7, then the declared ones
  std::vector<AssembledSequence> sequences_;
  std::set<std::string> used_;
};

}  // namespace strobe::dise
