// The expressions of configs/blocks: arithmetic and comparisons of parameters, written once and
// emitted as C++ and as SystemVerilog.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace strobe::gen {

/// An expression in the two languages, and as it was written.
struct Expression {
  std::string text;
  std::string cpp;
  std::string sv;

  bool empty() const { return text.empty(); }
};

/// What a name of an expression is in the two languages: a parameter, or one of its choices.
struct Symbol {
  std::string cpp, sv;
};

/// The symbol of a name, or nothing for an unknown one.
using Symbols = std::function<std::optional<Symbol>(const std::string& name)>;

/// Parses `?:`, `||`, `&&`, comparisons, `+ - * /`, `2^x`, parentheses, numbers, names and calls of
/// one argument, such as `two_rows(lanes)`. Calls are for C++ alone. Throws std::invalid_argument
/// with one sentence that says what was expected and what stands there.
Expression parse_expression(const std::string& text, const Symbols& symbols);

}  // namespace strobe::gen
