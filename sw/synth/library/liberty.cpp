#include "sw/synth/library/liberty.h"

#include <fmt/format.h>

#include <cctype>
#include <stdexcept>

#include "sw/text/limits.h"

namespace strobe::synth {
namespace {

constexpr int kDeepestNesting = 64;

class Parser {
 public:
  Parser(const std::string& text, const std::string& file) : text_(text), file_(file) { advance(); }

  LibertyGroup library() {
    const std::string type = word("'library (NAME) {'");
    if (type != "library") fail("'library (NAME) {'", type);
    LibertyGroup group;
    group.type = type;
    group.arguments = arguments();
    body(&group, 0);
    return group;
  }

 private:
  [[noreturn]] void fail(const std::string& expected, const std::string& got) const {
    throw std::runtime_error(fmt::format("{}:{}: not Liberty: expected {}, got {}", file_, line_,
                                         expected, got.empty() ? "the end of the file" : got));
  }

  // Skips blanks, comments, and a backslash at the end of a line.
  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\\') {
        ++at_;
      } else if (text_.compare(at_, 2, "/*") == 0) {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string::npos) fail("the end of a comment", "");
        for (; at_ < end + 2; ++at_) line_ += text_[at_] == '\n';
      } else {
        return;
      }
    }
  }

  // Reads the next token: a string without its quotes, a character of punctuation, or a word.
  void advance() {
    skip_blanks();
    quoted_ = false;
    token_.clear();
    if (at_ >= text_.size()) return;
    const std::string punctuation = "(){}:;,";
    if (text_[at_] == '"') {
      quoted_ = true;
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
        line_ += text_[at_] == '\n';
        if (text_[at_] != '\\' && text_[at_] != '\n') token_ += text_[at_];
      }
      if (at_ >= text_.size()) fail("the end of a string", "");
      ++at_;
    } else if (punctuation.find(text_[at_]) != std::string::npos) {
      token_ = text_[at_++];
    } else {
      while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) == 0 &&
             punctuation.find(text_[at_]) == std::string::npos && text_[at_] != '"') {
        token_ += text_[at_++];
      }
    }
  }

  bool is(const char* punctuation) const { return !quoted_ && token_ == punctuation; }
  bool at_end() const { return token_.empty() && !quoted_; }

  void expect(const char* punctuation) {
    if (!is(punctuation)) fail(fmt::format("'{}'", punctuation), token_);
    advance();
  }

  std::string word(const std::string& expected) {
    if (at_end() || is("(") || is(")") || is("{") || is("}") || is(":") || is(";") || is(","))
      fail(expected, token_);
    std::string result = token_;
    advance();
    return result;
  }

  void take_value() {
    if (values_.take()) return;
    throw std::runtime_error(fmt::format("{}:{}: too large: {}", file_, line_, values_.excess()));
  }

  std::vector<std::string> arguments() {
    std::vector<std::string> result;
    expect("(");
    while (!is(")")) {
      take_value();
      result.push_back(word("an argument"));
      if (is(",")) advance();
    }
    advance();
    return result;
  }

  // Reads from '{' to its '}'.
  void body(LibertyGroup* group, int depth) {
    if (depth > kDeepestNesting) fail("groups that are not nested as deeply", token_);
    expect("{");
    while (!is("}")) {
      take_value();
      const std::string name = word("a name or '}'");
      if (is(":")) {
        advance();
        // A value such as "1 + VDD" may be several words.
        std::string value = word("a value");
        while (!is(";") && !is("}") && !at_end() && !is("(") && !is(":"))
          value += " " + token_, advance();
        if (is(";")) advance();
        group->attributes.emplace_back(name, value);
        continue;
      }
      LibertyGroup child;
      child.type = name;
      child.arguments = arguments();
      if (is("{")) body(&child, depth + 1);
      if (is(";")) advance();
      group->groups.push_back(std::move(child));
    }
    advance();
  }

  const std::string& text_;
  const std::string& file_;
  size_t at_ = 0;
  int line_ = 1;
  std::string token_;
  bool quoted_ = false;
  text::Budget values_{text::limits::kLibertyValues};
};

}  // namespace

const std::string* LibertyGroup::attribute(const std::string& name) const {
  const std::string* found = nullptr;
  for (const auto& [key, value] : attributes) {
    if (key == name) found = &value;
  }
  return found;
}

const LibertyGroup* LibertyGroup::group(const std::string& type_name) const {
  for (const LibertyGroup& child : groups) {
    if (child.type == type_name) return &child;
  }
  return nullptr;
}

LibertyGroup parse_liberty(const std::string& text, const std::string& file) {
  const text::Limit& most = text::limits::kLibertyBytes;
  if (text::exceeds(most, text.size())) {
    throw std::runtime_error(
        fmt::format("{}: too large: {}", file, text::excess(most, text.size())));
  }
  return Parser(text, file).library();
}

}  // namespace strobe::synth
