#include "sw/gen/blocks/expression.h"

#include <fmt/format.h>

#include <cctype>
#include <stdexcept>

#include "sw/text/diagnostic.h"

namespace strobe::gen {
namespace {

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Recursive descent, an operator of a level at a time.
class Parser {
 public:
  Parser(const std::string& text, const Symbols& symbols) : text_(text), symbols_(symbols) {}

  Symbol whole() {
    Symbol all = choice();
    skip_spaces();
    if (at_ != text_.size()) fail("an operator or the end");
    return all;
  }

 private:
  using Level = Symbol (Parser::*)();

  Symbol choice() {
    Symbol condition = joined({"||"}, &Parser::conjunction);
    if (!take("?")) return condition;
    const Symbol yes = choice();
    if (!take(":")) fail("':'");
    return both(both(condition, " ? ", yes), " : ", choice());
  }
  Symbol conjunction() { return joined({"&&"}, &Parser::comparison); }
  Symbol comparison() { return joined({"==", "!=", "<=", ">=", "<", ">"}, &Parser::sum); }
  Symbol sum() { return joined({"+", "-"}, &Parser::product); }
  Symbol product() { return joined({"*", "/"}, &Parser::power); }
  Symbol power() {
    const size_t begin = at_;
    Symbol base = primary();
    if (!take("^")) return base;
    if (base.cpp != "2") {
      at_ = begin;
      fail("2 as the base of a power");
    }
    const Symbol exponent = primary();
    return {fmt::format("(1u << {})", exponent.cpp), fmt::format("(1 << {})", exponent.sv)};
  }
  Symbol primary() {
    skip_spaces();
    if (take("(")) {
      const Symbol inner = choice();
      if (!take(")")) fail("')'");
      return {"(" + inner.cpp + ")", "(" + inner.sv + ")"};
    }
    const size_t begin = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    const std::string word = text_.substr(begin, at_ - begin);
    if (word.empty()) fail("a number, a name or '('");
    if (std::isdigit(static_cast<unsigned char>(word[0]))) {
      if (word.find_first_not_of("0123456789") != std::string::npos) {
        at_ = begin;
        fail("a decimal number");
      }
      return {word, word};
    }
    if (take("(")) {
      const Symbol argument = choice();
      if (!take(")")) fail("')'");
      return {fmt::format("{}({})", word, argument.cpp), fmt::format("{}({})", word, argument.sv)};
    }
    const std::optional<Symbol> known = symbols_(word);
    if (!known) {
      at_ = begin;
      fail("the name of a parameter or of a choice");
    }
    return *known;
  }

  Symbol joined(const std::vector<std::string>& operators, Level next) {
    Symbol left = (this->*next)();
    for (;;) {
      const std::string* found = nullptr;
      for (const std::string& one : operators) {
        if (found == nullptr && take(one)) found = &one;
      }
      if (found == nullptr) return left;
      left = both(left, " " + *found + " ", (this->*next)());
    }
  }
  static Symbol both(const Symbol& left, const std::string& between, const Symbol& right) {
    return {left.cpp + between + right.cpp, left.sv + between + right.sv};
  }
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(const std::string& token) {
    skip_spaces();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }
  [[noreturn]] void fail(const std::string& expected) const {
    throw std::invalid_argument(
        fmt::format("expected {}, got {} in {}", expected,
                    at_ < text_.size() ? text::in_quotes(text_.substr(at_)) : "the end",
                    text::in_quotes(text_)));
  }

  const std::string& text_;
  const Symbols& symbols_;
  size_t at_ = 0;
};

}  // namespace

Expression parse_expression(const std::string& text, const Symbols& symbols) {
  const Symbol parsed = Parser(text, symbols).whole();
  return {text, parsed.cpp, parsed.sv};
}

}  // namespace strobe::gen
