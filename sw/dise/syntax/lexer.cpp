#include "sw/dise/syntax/lexer.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>

namespace strobe::dise {
namespace {

// Longer symbols come first, so that they match first.
constexpr std::array<const char*, 19> kSymbols = {
    "->", "&&", "||", "==", "!=", "<=", ">=", "<", ">", "=",
    "!",  "(",  ")",  "{",  "}",  ":",  ";",  ",", "\n"};

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  Lexer(const std::string& text, const std::string& file, Faults& faults)
      : text_(text), file_(file), faults_(faults) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (starts_name(c)) {
        name();
      } else if (is_digit(c) || (c == '-' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
        number();
      } else {
        symbol();
      }
    }
    push(Token::kEnd, 0);
    return std::move(tokens_);
  }

 private:
  Place place() const { return {file_, line_, static_cast<int>(at_ - line_start_) + 1}; }

  void push(Token::Kind kind, size_t length) {
    Token token;
    token.kind = kind;
    token.text = text_.substr(at_, length);
    token.place = place();
    tokens_.push_back(token);
    at_ += length;
  }

  void name() {
    size_t end = at_;
    while (end < text_.size() && (starts_name(text_[end]) || is_digit(text_[end]))) ++end;
    push(Token::kName, end - at_);
  }

  void number() {
    size_t end = at_ + 1;
    while (end < text_.size() && (starts_name(text_[end]) || is_digit(text_[end]))) ++end;
    push(Token::kNumber, end - at_);
    Token& token = tokens_.back();
    const bool negative = token.text[0] == '-';
    const char* digits = token.text.c_str() + (negative ? 1 : 0);
    char* rest = nullptr;
    errno = 0;
    token.value = std::strtoull(digits, &rest, 0);
    if (negative) token.value = ~token.value + 1;
    if (*rest != '\0' || errno != 0) {
      faults_.add(token.place, fmt::format("{} is not a number: expected decimal, 0x hexadecimal "
                                           "or 0 octal digits, of at most 64 bits",
                                           text::in_quotes(token.text)));
    }
  }

  void symbol() {
    for (const char* candidate : kSymbols) {
      const std::string symbol(candidate);
      if (text_.compare(at_, symbol.size(), symbol) != 0) continue;
      const bool newline = symbol == "\n";
      push(newline ? Token::kNewline : Token::kSymbol, symbol.size());
      if (newline) {
        ++line_;
        line_start_ = at_;
      }
      return;
    }
    faults_.add(place(), fmt::format("character {} has no meaning here",
                                     text::in_quotes(text_.substr(at_, 1))));
    ++at_;
  }

  const std::string& text_;
  const std::string& file_;
  Faults& faults_;
  std::vector<Token> tokens_;
  size_t at_ = 0, line_start_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<Token> tokens(const std::string& text, const std::string& file, Faults& faults) {
  return Lexer(text, file, faults).run();
}

}  // namespace strobe::dise
