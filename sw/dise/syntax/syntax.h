// The syntax tree of a production file, before names and patterns are checked.
#pragma once

#include <string>
#include <vector>

#include "sw/dise/syntax/lexer.h"

namespace strobe::dise {

/// A flag such as `overflow_1`, a comparison such as `T.OPCLASS == load`, or a combination of them
/// with !, && and ||.
struct Expression {
  enum Kind : uint8_t { kAnd, kOr, kNot, kFlag, kComparison };
  Kind kind = kFlag;
  Token name;      // the flag, or the left side of a comparison
  Token relation;  // a comparison's operator
  Token right;     // a comparison's right side
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
