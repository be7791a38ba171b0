#include "sw/text/json_text.h"

#include <algorithm>
#include <cstdio>
#include <istream>
#include <nlohmann/json.hpp>

#include "sw/text/limits.h"
#include "sw/text/shown.h"

namespace strobe::text {
namespace {

template <class Json>
std::string text_of(const Json& document, int indent) {
  const std::string plain = document.dump(indent, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(plain.size());
  for (std::string_view rest = plain; !rest.empty();) {
    const std::string_view character = rest.substr(0, std::max<size_t>(1, utf8_length(rest)));
    char escape[8] = "";
    if (steers_a_terminal(character)) {
      std::snprintf(escape, sizeof escape, "\\u%04x", code_of(character));
    }
    out += *escape != '\0' ? std::string_view(escape) : character;
    rest.remove_prefix(character.size());
  }
  return out;
}

/// Counts the values of a document, keys too, without keeping them.
class Counter : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return count(); }
  bool boolean(bool /*value*/) override { return count(); }
  bool number_integer(number_integer_t /*value*/) override { return count(); }
  bool number_unsigned(number_unsigned_t /*value*/) override { return count(); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return count(); }
  bool string(string_t& /*value*/) override { return count(); }
  bool binary(binary_t& /*value*/) override { return count(); }
  bool key(string_t& /*value*/) override { return count(); }
  bool start_object(size_t /*size*/) override { return start(); }
  bool end_object() override { return end(); }
  bool start_array(size_t /*size*/) override { return start(); }
  bool end_array() override { return end(); }
  bool parse_error(size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return false;  // the parser says it
  }

  /// Why the document is too large; "" if it is not.
  const std::string& excess() const { return excess_; }

 private:
  bool count() {
    if (!values_.take()) excess_ = values_.excess();
    return excess_.empty();
  }
  bool start() {
    const Limit& most = limits::kJsonDepth;
    if (exceeds(most, ++depth_)) excess_ = text::excess(most, depth_);
    return count();
  }
  bool end() {
    --depth_;
    return true;
  }

  Budget values_{limits::kJsonValues};
  uint64_t depth_ = 0;
  std::string excess_;
};

void expect_within_limits(std::string_view text) {
  constexpr int kTooLarge = 599;  // nlohmann's numbers begin with 1 to 5
  Counter counter;
  std::string excess;
  if (exceeds(limits::kJsonBytes, text.size())) {
    excess = text::excess(limits::kJsonBytes, text.size());
  } else {
    nlohmann::json::sax_parse(text, &counter);
    excess = counter.excess();
  }
  if (excess.empty()) return;
  throw nlohmann::json::other_error::create(kTooLarge, "too large: " + excess, nullptr);
}

/// The document, or so much of it that it is too large.
std::string start_of(std::istream& in) {
  std::string text(limits::kJsonBytes.most + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  return text;
}

}  // namespace

std::string json_text(const nlohmann::json& document, int indent) {
  return text_of(document, indent);
}

std::string json_text(const nlohmann::ordered_json& document, int indent) {
  return text_of(document, indent);
}

nlohmann::json json_from(std::string_view text) {
  expect_within_limits(text);
  return nlohmann::json::parse(text);
}

nlohmann::ordered_json ordered_json_from(std::string_view text) {
  expect_within_limits(text);
  return nlohmann::ordered_json::parse(text);
}

nlohmann::json json_or_discarded(std::string_view text) {
  try {
    return json_from(text);
  } catch (const nlohmann::json::exception&) {
    return nlohmann::json::value_t::discarded;
  }
}

nlohmann::json json_or_discarded(std::istream& in) { return json_or_discarded(start_of(in)); }

nlohmann::json own_json_from(std::string_view text) { return nlohmann::json::parse(text); }

}  // namespace strobe::text
