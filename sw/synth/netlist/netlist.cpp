#include "sw/synth/netlist/netlist.h"

#include <fmt/format.h>

#include <cctype>
#include <stdexcept>

namespace strobe::synth {
namespace {

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) { advance(); }

  GateNetlist module() {
    while (token_ != "module") advance();
    while (token_ != ";") advance();
    advance();
    while (token_ != "endmodule") statement();
    return std::move(netlist_);
  }

 private:
  [[noreturn]] void refuse(const std::string& expected) const {
    throw std::runtime_error(fmt::format("netlist, line {}: expected {}, got '{}'", line_, expected,
                                         token_.empty() ? "the end" : token_));
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_blanks() {
    for (;; ++at_) {
      if (text_.compare(at_, 2, "/*") == 0)
        at_ = text_.find("*/", at_) + 1;
      else if (std::isspace(static_cast<unsigned char>(peek())) == 0)
        return;
      line_ += peek() == '\n';
    }
  }

  // Reads the next token: a name (an escaped one without its backslash), a number, or a sign.
  void advance() {
    if (at_ >= text_.size() && at_ != 0) refuse("endmodule");
    skip_blanks();
    token_.clear();
    const bool escaped = peek() == '\\';
    if (escaped) ++at_;
    const auto inside = [&](char c) {
      if (escaped) return c != '\0' && std::isspace(static_cast<unsigned char>(c)) == 0;
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\'' || c == '$';
    };
    while (inside(peek())) token_ += text_[at_++];
    name_ =
        escaped || (!token_.empty() && std::isdigit(static_cast<unsigned char>(token_[0])) == 0);
    if (token_.empty() && at_ < text_.size()) token_ = text_[at_++];
  }

  void expect(const char* sign) {
    if (token_ != sign) refuse(fmt::format("'{}'", sign));
    advance();
  }

  std::string name() {
    if (!name_) refuse("a name");
    std::string result = token_;
    advance();
    return result;
  }

  int number() {
    const int value = std::atoi(token_.c_str());
    advance();
    return value;
  }

  void statement() {
    if (token_ == "input" || token_ == "output" || token_ == "wire") {
      declaration();
    } else if (token_ == "assign") {
      advance();
      const auto left = nets();
      expect("=");
      const auto right = nets();
      expect(";");
      if (left.size() != right.size()) refuse("an assign of as many bits");
      for (size_t i = 0; i < left.size(); ++i) netlist_.assigns.emplace_back(left[i], right[i]);
    } else {
      instance();
    }
  }

  void declaration() {
    const std::string kind = token_;
    advance();
    int high = -1, low = 0;
    if (token_ == "[") {
      advance();
      high = number();
      expect(":");
      low = number();
      expect("]");
    }
    const std::string declared = name();
    expect(";");
    std::vector<std::string> bits;
    for (int bit = high; bit >= low; --bit) bits.push_back(fmt::format("{}[{}]", declared, bit));
    if (high < 0) bits = {declared};
    auto& ports = kind == "input" ? netlist_.inputs : netlist_.outputs;
    if (kind != "wire") ports.insert(ports.end(), bits.begin(), bits.end());
    bits_[declared] = std::move(bits);
  }

  void instance() {
    Instance result;
    result.cell = name();
    result.name = name();
    expect("(");
    while (token_ == ".") {
      advance();
      const std::string pin = name();
      expect("(");
      if (token_ != ")") result.pins[pin] = nets();
      expect(")");
      if (token_ == ",") advance();
    }
    expect(")");
    expect(";");
    netlist_.instances.push_back(std::move(result));
  }

  // Reads a net, some bits of it, a constant, or several of them in braces.
  std::vector<std::string> nets() {
    std::vector<std::string> result;
    if (token_ == "{") {
      do {
        advance();
        const auto part = nets();
        result.insert(result.end(), part.begin(), part.end());
      } while (token_ == ",");
      expect("}");
      return result;
    }
    if (!name_) {  // 4'h3
      result.resize(static_cast<size_t>(number()));
      return result;
    }
    const std::string net = name();
    if (token_ != "[") {
      const auto bits = bits_.find(net);
      return bits == bits_.end() ? std::vector<std::string>{net} : bits->second;
    }
    advance();
    const int high = number();
    int low = high;
    if (token_ == ":") {
      advance();
      low = number();
    }
    expect("]");
    for (int bit = high; bit >= low; --bit) result.push_back(fmt::format("{}[{}]", net, bit));
    return result;
  }

  const std::string& text_;
  size_t at_ = 0;
  int line_ = 1;
  std::string token_;
  bool name_ = false;
  std::map<std::string, std::vector<std::string>> bits_;
  GateNetlist netlist_;
};

}  // namespace

GateNetlist parse_netlist(const std::string& text) { return Parser(text).module(); }

}  // namespace strobe::synth
