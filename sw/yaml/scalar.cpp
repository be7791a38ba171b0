#include "sw/yaml/scalar.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>

namespace strobe::yaml {
namespace {

bool all_digits(const std::string& text, bool hexadecimal) {
  if (text.empty()) return false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (hexadecimal ? std::isxdigit(byte) == 0 : std::isdigit(byte) == 0) return false;
  }
  return true;
}

/// Removes the `_` that stand between two digits; any other one stays and makes the number wrong.
std::string without_separators(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool between = text[i] == '_' && i > 0 && i + 1 < text.size() && text[i - 1] != '_' &&
                         text[i - 1] != 'x' && text[i + 1] != '_';
    if (!between) out += text[i];
  }
  return out;
}

}  // namespace

std::optional<uint64_t> integer_of(const Node& node, std::string* why) {
  const auto refuse = [&](const std::string& note) {
    *why = fmt::format("expected an integer, got {}{}", node.what(), note);
    return std::nullopt;
  };
  if (node.kind != Node::Kind::kScalar) return refuse("");
  if (node.quoted) return refuse(" in quotes, which is text");
  const bool hexadecimal = node.scalar.rfind("0x", 0) == 0;
  const std::string digits =
      hexadecimal ? without_separators(node.scalar).substr(2) : without_separators(node.scalar);
  if (!all_digits(digits, hexadecimal)) return refuse("");
  if (!hexadecimal && digits.size() > 1 && digits[0] == '0') {
    return refuse(", which some readers take as octal; write it without the leading zero");
  }
  uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return refuse(", which does not fit in 64 bits");
  }
  return value;
}

std::optional<double> real_of(const Node& node, std::string* why) {
  *why = "expected a number, got " + node.what();
  if (node.kind != Node::Kind::kScalar) return std::nullopt;
  if (node.quoted) {
    *why += " in quotes, which is text";
    return std::nullopt;
  }
  double value = 0;
  const char* first = node.scalar.data();
  const char* last = first + node.scalar.size();
  const auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc() || end != last || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<bool> flag_of(const Node& node, std::string* why) {
  if (node.kind == Node::Kind::kScalar && !node.quoted) {
    if (node.scalar == "true") return true;
    if (node.scalar == "false") return false;
  }
  *why = "expected true or false, got " + node.what();
  return std::nullopt;
}

std::optional<std::string> text_of(const Node& node, std::string* why) {
  if (node.kind == Node::Kind::kScalar) return node.scalar;
  *why = "expected text, got " + node.what();
  return std::nullopt;
}

}  // namespace strobe::yaml
