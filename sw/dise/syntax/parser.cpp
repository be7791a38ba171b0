// A recursive-descent parser. After a fault it goes on after the next ';' or '}'.
#include <fmt/format.h>

#include "sw/dise/syntax/syntax.h"

namespace strobe::dise {
namespace {

constexpr unsigned kDeepest = 64;  // nesting depth of parentheses and negations

bool is_operation(const Token& token) {
  return token.kind == Token::kName &&
         (token.text.rfind("inc_", 0) == 0 || token.text.rfind("dec_", 0) == 0 ||
          token.text.rfind("set_", 0) == 0);
}

std::string shown(const Token& token) {
  switch (token.kind) {
    case Token::kEnd:
      return "the end of the file";
    case Token::kNewline:
      return "the end of the line";
    default:
      return text::in_quotes(token.text);
  }
}

class Parser {
 public:
  Parser(std::vector<Token> tokens, Faults& faults) : tokens_(std::move(tokens)), faults_(faults) {}

  SyntaxTree run() {
    for (skip_newlines(); peek().kind != Token::kEnd; skip_newlines()) {
      try {
        item();
      } catch (const Reported&) {
        recover();
      }
    }
    return std::move(tree_);
  }

 private:
  const Token& peek() const { return tokens_[at_]; }
  Token next() { return tokens_[at_].kind == Token::kEnd ? tokens_[at_] : tokens_[at_++]; }
  void skip_newlines() {
    while (peek().kind == Token::kNewline) ++at_;
  }

  [[noreturn]] void fail(const Token& at, const std::string& message) {
    faults_.add(at.place, message);
    throw Reported();
  }
  [[noreturn]] void expected(const std::string& what) {
    fail(peek(), fmt::format("expected {}, got {}", what, shown(peek())));
  }
  bool accept(const char* symbol) {
    if (!peek().is(symbol)) return false;
    ++at_;
    return true;
  }
  void expect(const char* symbol, const char* why) {
    if (!accept(symbol)) expected(fmt::format("'{}' {}", symbol, why));
  }
  Token name(const char* what) {
    if (peek().kind != Token::kName) expected(what);
    return next();
  }

  void recover() {
    while (peek().kind != Token::kEnd) {
      const Token token = next();
      if (token.is(";") || token.is("}")) return;
    }
  }

  void item() {
    const Token first = name("the name of a production, control block or sequence, or 'register'");
    if (first.text == "register") return register_name();
    expect(":", "after a name");
    skip_newlines();
    if (peek().is("{")) return sequence(first);
    if (is_operation(peek())) return control_block(first);
    production(first);
  }

  void end_of_item(const char* what) {
    skip_newlines();
    expect(";", fmt::format("at the end of {}", what).c_str());
  }

  void register_name() {
    RegisterName declared;
    declared.name = name("a name for a dise register");
    expect("=", "and a dise register");
    declared.reg = name("a dise register, d0 to d7");
    if (accept(",")) {
      if (peek().kind != Token::kNumber) expected("the number the register starts with");
      declared.value = next();
    }
    end_of_item("a register's line");
    tree_.registers.push_back(declared);
  }

  WrittenOp operation() {
    WrittenOp op;
    op.name = name("inc_N, dec_N or set_N(register)");
    if (accept("(")) {
      op.argument = name("a dise register");
      expect(")", "after the register");
    }
    return op;
  }

  void control_block(const Token& name) {
    ControlBlock block;
    block.name = name;
    do {
      skip_newlines();
      block.ops.push_back(operation());
      skip_newlines();
    } while (accept(","));
    end_of_item("a control block");
    tree_.controls.push_back(block);
  }

  void production(const Token& production_name) {
    Production production;
    production.name = production_name;
    production.pattern = disjunction(0);
    skip_newlines();
    expect("->", "and a replacement after the pattern");
    skip_newlines();
    production.replacement = name("the name of a sequence, or null");
    while (accept(",")) {
      skip_newlines();
      if (is_operation(peek())) {
        production.ops.push_back(operation());
      } else {
        production.controls.push_back(name("the name of a control block, an operation, or null"));
      }
    }
    end_of_item("a production");
    tree_.productions.push_back(production);
  }

  // Parses one level of && or ||.
  Expression chain(Expression::Kind kind, const char* symbol, unsigned depth) {
    const auto operand = [&] {
      return kind == Expression::kOr ? chain(Expression::kAnd, "&&", depth) : unary(depth);
    };
    Expression all;
    all.kind = kind;
    do {
      skip_newlines();
      all.operands.push_back(operand());
      skip_newlines();
    } while (accept(symbol));
    return all.operands.size() == 1 ? all.operands[0] : all;
  }
  Expression disjunction(unsigned depth) { return chain(Expression::kOr, "||", depth); }

  Expression unary(unsigned depth) {
    if (depth > kDeepest) fail(peek(), "the pattern is nested too deeply");
    if (accept("!")) {
      Expression negation;
      negation.kind = Expression::kNot;
      negation.operands.push_back(unary(depth + 1));
      return negation;
    }
    if (accept("(")) {
      const Expression inside = disjunction(depth + 1);
      skip_newlines();
      expect(")", "to close the parenthesis");
      return inside;
    }
    Expression atom;
    atom.name = name("a flag (overflow_N, zero_N), a comparison (T.OPCLASS == ...) or '('");
    if (peek().kind != Token::kSymbol) return atom;
    for (const char* relation : {"==", "!=", "<", "<=", ">", ">="}) {
      if (!peek().is(relation)) continue;
      atom.kind = Expression::kComparison;
      atom.relation = next();
      if (peek().kind != Token::kName && peek().kind != Token::kNumber) {
        expected("a name or a number to compare with");
      }
      atom.right = next();
      break;
    }
    return atom;
  }

  void sequence(const Token& sequence_name) {
    Sequence sequence;
    sequence.name = sequence_name;
    expect("{", "before a sequence");
    for (;;) {
      while (peek().kind == Token::kNewline || peek().is(";")) ++at_;
      if (accept("}")) break;
      if (peek().kind == Token::kEnd) {
        fail(sequence_name, fmt::format("sequence {} has no end: expected '}}' before the end of "
                                        "the file",
                                        text::in_quotes(sequence_name.text)));
      }
      sequence.instructions.push_back(instruction());
    }
    tree_.sequences.push_back(sequence);
  }

  WrittenInstruction instruction() {
    WrittenInstruction line;
    Token word = name("an instruction");
    while (accept(":")) {
      line.labels.push_back(word);
      skip_newlines();
      word = name("an instruction after the label");
    }
    line.mnemonic = word;
    if (ends_line(peek())) return line;
    do {
      std::vector<Token> operand;
      while (!ends_line(peek()) && !peek().is(",")) operand.push_back(next());
      if (operand.empty()) expected("an operand");
      line.operands.push_back(operand);
    } while (accept(","));
    return line;
  }
  static bool ends_line(const Token& token) {
    return token.kind == Token::kNewline || token.kind == Token::kEnd || token.is(";") ||
           token.is("}");
  }

  std::vector<Token> tokens_;
  Faults& faults_;
  SyntaxTree tree_;
  size_t at_ = 0;
};

}  // namespace

SyntaxTree parse(const std::string& text, const std::string& file, Faults& faults) {
  return Parser(tokens(text, file, faults), faults).run();
}

}  // namespace strobe::dise
