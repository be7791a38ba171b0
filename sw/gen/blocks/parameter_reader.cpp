#include "sw/gen/blocks/parameter_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sw/gen/words.h"
#include "sw/yaml/scalar.h"

namespace strobe::gen {
namespace {

using yaml::MapReader;
using yaml::Node;

bool is_snake_case(const std::string& text) {
  const auto good = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !text.empty() && text[0] >= 'a' && text[0] <= 'z' &&
         std::all_of(text.begin(), text.end(), [&](char c) { return good(c) || c == '_'; });
}

void read_default_choice(MapReader& reader, Parameter* parameter) {
  parameter->type = reader.text("type").value_or("");
  const std::string name = reader.text("default").value_or("");
  const auto found = std::find(parameter->choices.begin(), parameter->choices.end(), name);
  if (found == parameter->choices.end()) {
    reader.error(reader.node().mark, "default",
                 fmt::format("expected one of {}, got {}{}", fmt::join(parameter->choices, ", "),
                             text::in_quotes(name), text::did_you_mean(name, parameter->choices)));
    return;
  }
  parameter->default_value = static_cast<unsigned>(found - parameter->choices.begin());
  parameter->low = {"0", "0", "0"};
  const std::string last = std::to_string(parameter->choices.size() - 1);
  parameter->high = {last, last, last};
}

}  // namespace

std::vector<std::string> texts_of(MapReader& reader, const std::string& key) {
  std::vector<std::string> texts;
  if (reader.find(key) == nullptr) return texts;
  const auto* items = reader.list(key);
  for (size_t i = 0; items != nullptr && i < items->size(); ++i) {
    std::string why;
    if (auto text = yaml::text_of((*items)[i], &why)) {
      texts.push_back(std::move(*text));
    } else {
      reader.error((*items)[i].mark, fmt::format("{}.{}", key, i), "wrong type, " + why);
    }
  }
  return texts;
}

Parameter ParameterReader::read(const Node& node, const std::string& path) {
  MapReader reader(node, path, diagnostics_);
  Parameter parameter = read_common(reader);
  if (const yaml::Entry* capability = reader.find("capability")) {
    parameter.capability.field =
        read_field(capability->value, yaml::join_path(path, "capability"), "ro", diagnostics_);
  }
  reader.reject_unknown_keys();
  if (knows(parameter.name)) {
    diagnostics_->push_back(node.mark.error(
        parameter.name,
        "a second parameter of this name, expected a name of its own; a parameter of several "
        "compressors belongs to shared_parameters of path.yaml"));
  }
  known_.push_back(parameter);
  return parameter;
}

Parameter ParameterReader::read_key(const Node& node, const std::string& path) {
  MapReader reader(node, path, diagnostics_);
  const Parameter parameter = read_common(reader);
  reader.text("sets");
  reader.reject_unknown_keys();
  return parameter;
}

Parameter ParameterReader::read_common(MapReader& reader) {
  Parameter parameter;
  parameter.name = reader.text("name").value_or("");
  if (!is_snake_case(parameter.name)) {
    reader.error(reader.node().mark, "name",
                 "expected lower_snake_case, got " + text::in_quotes(parameter.name));
  }
  parameter.unit = reader.text_or("unit", "").value_or("");
  parameter.description = reader.text("description").value_or("");
  parameter.elsewhere = reader.text_or("elsewhere", "").value_or("");
  parameter.choices = texts_of(reader, "choices");
  parameter.power_of_two = reader.flag_or("power_of_two", false);
  parameter.or_none = reader.flag_or("or_none", false);
  parameter.at_most = reader.text_or("at_most", "").value_or("");
  reader.find("matters_when");  // is read with the compressor, when all names are known
  if (parameter.choices.empty()) {
    parameter.default_value =
        static_cast<unsigned>(reader.integer("default", 0, 1u << 16).value_or(0));
    read_range(reader, &parameter.low, &parameter.high);
  } else {
    read_default_choice(reader, &parameter);
  }
  return parameter;
}

void ParameterReader::read_range(MapReader& reader, Expression* low, Expression* high) {
  const auto* range = reader.list("range");
  if (range == nullptr) return;
  if (range->size() != 2) {
    reader.error(
        reader.find("range")->value.mark, "range",
        fmt::format("expected the least and the largest value, got {} values", range->size()));
    return;
  }
  *low = expression_of(reader, (*range)[0], "range.0");
  *high = expression_of(reader, (*range)[1], "range.1");
}

Expression ParameterReader::expression(MapReader& reader, const std::string& key, bool required) {
  const yaml::Entry* entry = required ? reader.require(key) : reader.find(key);
  if (entry == nullptr) return {};
  return expression_of(reader, entry->value, key);
}

Expression ParameterReader::expression_of(MapReader& reader, const Node& node,
                                          const std::string& key) {
  std::string why;
  const auto text = yaml::text_of(node, &why);
  if (!text) {
    reader.error(node.mark, key, "wrong type, " + why);
    return {};
  }
  try {
    return parse_expression(*text, [this](const std::string& name) { return symbol(name); });
  } catch (const std::invalid_argument& fault) {
    reader.error(node.mark, key, fault.what());
    return {};
  }
}

std::optional<Symbol> ParameterReader::symbol(const std::string& name) const {
  if (name == "rate") return Symbol{"rate", "period"};
  if (name == "tuple_width") return Symbol{"tuple_width(p)", "TupleWidth"};
  for (const Parameter& parameter : known_) {
    if (parameter.name == name) return Symbol{"p." + name, parameter.rtl()};
  }
  for (const Parameter& parameter : known_) {
    const auto& choices = parameter.choices;
    const auto found = std::find(choices.begin(), choices.end(), name);
    if (found == choices.end()) continue;
    return Symbol{std::to_string(found - choices.begin()),
                  "strobe_pkg::" + parameter.rtl() + upper_camel(name)};
  }
  return std::nullopt;
}

bool ParameterReader::knows(const std::string& name) const {
  return std::any_of(known_.begin(), known_.end(),
                     [&](const Parameter& parameter) { return parameter.name == name; });
}

const Parameter& ParameterReader::known(const std::string& name) const {
  return *std::find_if(known_.begin(), known_.end(),
                       [&](const Parameter& parameter) { return parameter.name == name; });
}

}  // namespace strobe::gen
