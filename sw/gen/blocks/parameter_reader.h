// Reads the parameters of configs/blocks, and the expressions that name them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sw/gen/blocks/block.h"
#include "sw/yaml/document.h"
#include "sw/yaml/map_reader.h"

namespace strobe::gen {

class ParameterReader {
 public:
  explicit ParameterReader(text::Diagnostics* diagnostics) : diagnostics_(diagnostics) {}

  /// Reads a parameter and adds it to those known. Its range may name those before it.
  Parameter read(const yaml::Node& node, const std::string& path);
  /// Reads what a key `name`, which sets another parameter, has of its own.
  Parameter read_key(const yaml::Node& node, const std::string& path);
  /// Reads the key `range` into `low` and `high`.
  void read_range(yaml::MapReader& reader, Expression* low, Expression* high);

  /// The expression of a key, empty if it is absent.
  Expression expression(yaml::MapReader& reader, const std::string& key, bool required = false);

  bool knows(const std::string& name) const;
  /// The known parameter of this name.
  const Parameter& known(const std::string& name) const;
  const std::vector<Parameter>& all() const { return known_; }

 private:
  Parameter read_common(yaml::MapReader& reader);
  std::optional<Symbol> symbol(const std::string& name) const;
  Expression expression_of(yaml::MapReader& reader, const yaml::Node& node, const std::string& key);

  text::Diagnostics* diagnostics_;
  std::vector<Parameter> known_;
};

/// The items of an optional list, as texts.
std::vector<std::string> texts_of(yaml::MapReader& reader, const std::string& key);

}  // namespace strobe::gen
