// The expressions of a sweep file: `where` is about axes, `constraints` and `question` are about
// results.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace strobe::explore {

/// A number, a text or nothing. Flags are the numbers 1 and 0.
struct Value {
  enum class Kind { kNothing, kNumber, kText };

  static Value number(double value) { return {Kind::kNumber, value, nullptr}; }
  /// Keeps the pointer, so the text must outlive the value.
  static Value text(const std::string* value) { return {Kind::kText, 0, value}; }

  Kind kind = Kind::kNothing;
  double as_number = 0;
  const std::string* as_text = nullptr;
};

/// An expression has `or`, `and`, `not`, one comparison (== != < <= > >=), + - * / % ^ and
/// parentheses over numbers, 'texts', true, false and key paths. The result of arithmetic on
/// nothing or on a text is nothing, and a comparison with nothing does not hold. Texts can only be
/// compared for equality.
class Expression {
 public:
  /// What may stand for a value: a key, or also min(KEY), max(KEY) and mean(KEY) over points.
  enum class Names { kKeys, kStatistics };

  /// @param error  when the result is false: one sentence that says where and what was expected
  static bool parse(const std::string& text, Expression* expression, std::string* error,
                    Names names = Names::kKeys);

  const std::string& source() const { return source_; }
  /// The key paths and statistics, such as "cycles" and "max(cycles)", each once.
  const std::vector<std::string>& names() const { return names_; }
  /// Whether the expression is one name and nothing else.
  bool is_name() const { return terms_.size() == 1 && terms_[0].op == Op::kName; }
  /// Whether the expression holds. @param values  one for each of names()
  bool holds(const std::vector<Value>& values) const;
  Value value(const std::vector<Value>& values) const;
  /// The sides of an expression that is one comparison by order; none: it is anything else, or a
  /// side is no number.
  std::optional<std::pair<double, double>> sides(const std::vector<Value>& values) const;

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
    size_t left = 0, right = 0;  // the indices of terms; for a name, left is the index of the name
  };

  Value evaluate(size_t term, const std::vector<Value>& values) const;
  static Value compare(Op op, const Value& left, const Value& right);
  static double compute(Op op, double left, double right);

  std::string source_;
  std::vector<std::string> names_;
  std::vector<Term> terms_;  // the last one is the whole expression
};

/// A name of an expression: what of which key, such as "max" of "cycles". `what` is empty for a key
/// alone.
struct Statistic {
  explicit Statistic(const std::string& name);
  std::string what, key;
};

}  // namespace strobe::explore
