// The expressions of a sweep file: what `where` asks of axes and `constraints` of results.
#pragma once

#include <string>
#include <vector>

namespace strobe::explore {

/// A number, a text or nothing. Flags are the numbers 1 and 0.
struct Value {
  enum class Kind { kNothing, kNumber, kText };

  static Value number(double value) { return {Kind::kNumber, value, nullptr}; }
  /// Keeps the pointer.
  static Value text(const std::string* value) { return {Kind::kText, 0, value}; }

  Kind kind = Kind::kNothing;
  double as_number = 0;
  const std::string* as_text = nullptr;
};

/// `or`, `and`, `not`, one comparison (== != < <= > >=), + - * / % ^ and parentheses over numbers,
/// 'texts', true, false and key paths. What is computed from nothing or from a text is nothing, and
/// a comparison with nothing does not hold; texts are only equal or not.
class Expression {
 public:
  /// @param error  set to one sentence that says where and what was expected, when false is
  /// returned
  static bool parse(const std::string& text, Expression* expression, std::string* error);

  const std::string& source() const { return source_; }
  /// The key paths in it, each once.
  const std::vector<std::string>& names() const { return names_; }
  /// Whether it holds. @param values  one for each of names()
  bool holds(const std::vector<Value>& values) const;

 private:
  friend class ExpressionParser;

  enum class Op {
    kConstant,
    kText,
    kName,
    kNegate,
    kNot,
    kOr,
    kAnd,
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kRemainder,
    kPower
  };
  struct Term {
    Op op = Op::kConstant;
    double number = 0;
    std::string text;
    size_t left = 0, right = 0;  // indices of terms; of a name, left is its index
  };

  Value evaluate(size_t term, const std::vector<Value>& values) const;
  static Value compare(Op op, const Value& left, const Value& right);
  static double compute(Op op, double left, double right);

  std::string source_;
  std::vector<std::string> names_;
  std::vector<Term> terms_;  // the last one is the whole
};

}  // namespace strobe::explore
