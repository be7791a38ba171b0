// A production file as it is written, before anything in it has a meaning.
#pragma once

#include <string>
#include <vector>

#include "sw/dise/lexer.h"

namespace strobe::dise {

/// `overflow_1`, `T.OPCLASS == load`, and what !, && and || make of them.
struct Expression {
  enum Kind : uint8_t { kAnd, kOr, kNot, kFlag, kComparison };
  Kind kind = kFlag;
  Token name;      // of a flag; left side of a comparison
  Token relation;  // of a comparison
  Token right;     // of a comparison
  std::vector<Expression> operands;
};

/// `inc_1`, `set_2(burstLength)`.
struct WrittenOp {
  Token name;
  Token argument;  // kEnd: none
};

/// A line of a sequence: mnemonic and operands, each a list of tokens.
struct WrittenInstruction {
  std::vector<Token> labels;
  Token mnemonic;
  std::vector<std::vector<Token>> operands;
};

struct Production {
  Token name;
  Expression pattern;
  Token replacement;            // a sequence's name or null
  std::vector<Token> controls;  // names of control blocks, or null
  std::vector<WrittenOp> ops;   // written in place
};

struct ControlBlock {
  Token name;
  std::vector<WrittenOp> ops;
};

struct Sequence {
  Token name;
  std::vector<WrittenInstruction> instructions;
};

struct RegisterName {
  Token name;
  Token reg;    // d0 to d7
  Token value;  // kEnd: none
};

struct SyntaxTree {
  std::vector<RegisterName> registers;
  std::vector<Production> productions;
  std::vector<ControlBlock> controls;
  std::vector<Sequence> sequences;
};

/// The grammar is in docs/dise-language.md. What has a fault is left out of the tree.
SyntaxTree parse(const std::string& text, const std::string& file, Faults& faults);

}  // namespace strobe::dise
