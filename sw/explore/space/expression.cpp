#include "sw/explore/space/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "sw/text/diagnostic.h"

namespace strobe::explore {
namespace {

constexpr int kDeepest = 64;       // nested parentheses and signs
constexpr size_t kLongest = 1000;  // characters

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

/// Parses by recursive descent, with one function for each level.
class ExpressionParser {
 public:
  using Op = Expression::Op;

  ExpressionParser(const std::string& text, Expression::Names names, Expression* out)
      : text_(text), names_(names), out_(out) {}

  void parse() {
    disjunction();
    skip_blanks();
    if (at_ != text_.size()) fail("an operator or the end");
  }

 private:
  size_t disjunction() {
    size_t left = conjunction();
    while (word("or")) left = add({Op::kOr, 0, "", left, conjunction()});
    return left;
  }

  size_t conjunction() {
    size_t left = negation();
    while (word("and")) left = add({Op::kAnd, 0, "", left, negation()});
    return left;
  }

  size_t negation() {
    if (!word("not")) return comparison();
    const Deeper deeper(this);
    return add({Op::kNot, 0, "", negation(), 0});
  }

  size_t comparison() {
    static constexpr std::pair<const char*, Op> kOperators[] = {
        {"==", Op::kEqual},        {"!=", Op::kNotEqual}, {"<=", Op::kLessEqual},
        {">=", Op::kGreaterEqual}, {"<", Op::kLess},      {">", Op::kGreater}};
    const size_t left = sum();
    for (const auto& [sign, op] : kOperators) {
      if (symbol(sign)) return add({op, 0, "", left, sum()});
    }
    return left;
  }

  size_t sum() {
    size_t left = product();
    for (;;) {
      if (symbol("+")) {
        left = add({Op::kAdd, 0, "", left, product()});
      } else if (symbol("-")) {
        left = add({Op::kSubtract, 0, "", left, product()});
      } else {
        return left;
      }
    }
  }

  size_t product() {
    size_t left = power();
    for (;;) {
      if (symbol("*")) {
        left = add({Op::kMultiply, 0, "", left, power()});
      } else if (symbol("/")) {
        left = add({Op::kDivide, 0, "", left, power()});
      } else if (symbol("%")) {
        left = add({Op::kRemainder, 0, "", left, power()});
      } else {
        return left;
      }
    }
  }

  size_t power() {
    const Deeper deeper(this);
    if (symbol("-")) return add({Op::kNegate, 0, "", power(), 0});
    const size_t base = primary();
    return symbol("^") ? add({Op::kPower, 0, "", base, power()}) : base;
  }

  size_t primary() {
    skip_blanks();
    if (symbol("(")) {
      const Deeper deeper(this);
      const size_t inner = disjunction();
      if (!symbol(")")) fail("')'");
      return inner;
    }
    if (at_ < text_.size() && is_digit(text_[at_])) return number();
    if (at_ < text_.size() && text_[at_] == '\'') return quoted();
    if (at_ < text_.size() && is_letter(text_[at_])) return name();
    fail("a number, a key, a text in single quotes or '('");
  }

  size_t number() {
    double value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("a number");
    at_ = static_cast<size_t>(end - text_.data());
    return add({Op::kConstant, value, "", 0, 0});
  }

  size_t quoted() {
    const size_t end = text_.find('\'', at_ + 1);
    if (end == std::string::npos) fail("a text that ends with a single quote");
    const std::string value = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return add({Op::kText, 0, value, 0, 0});
  }

  std::string path() {
    const size_t start = at_;
    while (at_ < text_.size() &&
           (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) {
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  /// The rest of a statistic such as max(cycles), after its first word.
  std::string statistic(const std::string& what) {
    skip_blanks();
    if (at_ == text_.size() || !is_letter(text_[at_])) fail("the key of a result");
    const std::string key = path();
    if (!symbol(")")) fail("')'");
    return what + "(" + key + ")";
  }

  size_t name() {
    const size_t start = at_;
    std::string name = path();
    if (name == "true" || name == "false") {
      return add({Op::kConstant, name == "true" ? 1.0 : 0.0, "", 0, 0});
    }
    if (name == "or" || name == "and" || name == "not") {
      at_ = start;
      fail("a number, a key or a text");
    }
    const bool known_statistic = name == "min" || name == "max" || name == "mean";
    if (names_ == Expression::Names::kStatistics && known_statistic && symbol("(")) {
      name = statistic(name);
    }
    auto& names = out_->names_;
    const auto known = std::find(names.begin(), names.end(), name);
    const auto index = static_cast<size_t>(known - names.begin());
    if (known == names.end()) names.push_back(name);
    return add({Op::kName, 0, "", index, 0});
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool symbol(const std::string& sign) {
    skip_blanks();
    if (text_.compare(at_, sign.size(), sign) != 0) return false;
    at_ += sign.size();
    return true;
  }

  bool word(const std::string& wanted) {
    skip_blanks();
    const size_t end = at_ + wanted.size();
    if (text_.compare(at_, wanted.size(), wanted) != 0) return false;
    if (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) return false;
    at_ = end;
    return true;
  }

  size_t add(Expression::Term term) {
    out_->terms_.push_back(std::move(term));
    return out_->terms_.size() - 1;
  }

  [[noreturn]] void fail(const std::string& expected) const {
    const std::string rest = at_ < text_.size() ? text::in_quotes(text_.substr(at_)) : "the end";
    throw std::invalid_argument(
        fmt::format("character {}: expected {}, got {}", at_ + 1, expected, rest));
  }

  struct Deeper {
    explicit Deeper(ExpressionParser* owner) : parser(owner) {
      if (++parser->depth_ > kDeepest) parser->fail("a simpler expression");
    }
    ~Deeper() { --parser->depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ExpressionParser* parser;
  };

  const std::string& text_;
  Expression::Names names_;
  Expression* out_;
  size_t at_ = 0;
  int depth_ = 0;
};

bool Expression::parse(const std::string& text, Expression* expression, std::string* error,
                       Names names) {
  if (text.size() > kLongest) {
    *error = fmt::format("expected at most {} characters, got {}", kLongest, text.size());
    return false;
  }
  *expression = Expression();
  expression->source_ = text;
  try {
    ExpressionParser(expression->source_, names, expression).parse();
  } catch (const std::invalid_argument& fault) {
    *error = fault.what();
    return false;
  }
  return true;
}

bool Expression::holds(const std::vector<Value>& values) const {
  const Value result = value(values);
  return result.kind == Value::Kind::kNumber && result.as_number != 0;
}

Value Expression::value(const std::vector<Value>& values) const {
  return evaluate(terms_.size() - 1, values);
}

std::optional<std::pair<double, double>> Expression::sides(const std::vector<Value>& values) const {
  const Term& whole = terms_.back();
  if (whole.op < Op::kLess || whole.op > Op::kGreaterEqual) return std::nullopt;
  const Value left = evaluate(whole.left, values), right = evaluate(whole.right, values);
  if (left.kind != Value::Kind::kNumber || right.kind != Value::Kind::kNumber) return std::nullopt;
  return std::pair(left.as_number, right.as_number);
}

Value Expression::evaluate(size_t index, const std::vector<Value>& values) const {
  const Term& term = terms_[index];
  const auto holds_at = [&](size_t operand) {
    const Value value = evaluate(operand, values);
    return value.kind == Value::Kind::kNumber && value.as_number != 0;
  };
  switch (term.op) {
    case Op::kConstant:
      return Value::number(term.number);
    case Op::kText:
      return Value::text(&term.text);
    case Op::kName:
      return values[term.left];
    case Op::kNot:
      return Value::number(holds_at(term.left) ? 0 : 1);
    case Op::kOr:
      return Value::number(holds_at(term.left) || holds_at(term.right) ? 1 : 0);
    case Op::kAnd:
      return Value::number(holds_at(term.left) && holds_at(term.right) ? 1 : 0);
    case Op::kNegate: {
      Value value = evaluate(term.left, values);
      value.as_number = -value.as_number;
      return value.kind == Value::Kind::kNumber ? value : Value();
    }
    default:
      break;
  }
  const Value left = evaluate(term.left, values);
  const Value right = evaluate(term.right, values);
  if (term.op >= Op::kEqual && term.op <= Op::kGreaterEqual) return compare(term.op, left, right);
  if (left.kind != Value::Kind::kNumber || right.kind != Value::Kind::kNumber) return {};
  const double result = compute(term.op, left.as_number, right.as_number);
  return std::isnan(result) ? Value() : Value::number(result);
}

Value Expression::compare(Op op, const Value& left, const Value& right) {
  if (left.kind != right.kind || left.kind == Value::Kind::kNothing) return Value::number(0);
  const bool text = left.kind == Value::Kind::kText;
  const double difference =
      text ? (*left.as_text == *right.as_text ? 0 : 1) : left.as_number - right.as_number;
  const bool ordered = !text;
  bool result = false;
  switch (op) {
    case Op::kEqual:
      result = difference == 0;
      break;
    case Op::kNotEqual:
      result = difference != 0;
      break;
    case Op::kLess:
      result = ordered && difference < 0;
      break;
    case Op::kLessEqual:
      result = ordered && difference <= 0;
      break;
    case Op::kGreater:
      result = ordered && difference > 0;
      break;
    default:
      result = ordered && difference >= 0;
      break;
  }
  return Value::number(result ? 1 : 0);
}

double Expression::compute(Op op, double left, double right) {
  switch (op) {
    case Op::kAdd:
      return left + right;
    case Op::kSubtract:
      return left - right;
    case Op::kMultiply:
      return left * right;
    case Op::kDivide:
      return right == 0 ? std::nan("") : left / right;
    case Op::kRemainder:
      return right == 0 ? std::nan("") : std::fmod(left, right);
    default:
      return std::pow(left, right);
  }
}

Statistic::Statistic(const std::string& name) {
  const size_t bracket = name.find('(');
  what = bracket == std::string::npos ? "" : name.substr(0, bracket);
  key = bracket == std::string::npos ? name : name.substr(bracket + 1, name.size() - bracket - 2);
}

}  // namespace strobe::explore
