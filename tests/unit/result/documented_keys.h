// The keys of a JSON object, and the keys that docs/results.md lists for it.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

#include "tests/tree.h"

namespace strobe::result {

/// The keys in the tables under a heading of docs/results.md: | `key` | ...
inline std::set<std::string> documented_keys(const std::string& heading) {
  std::ifstream page(in_source("docs/results.md"));
  std::set<std::string> keys;
  bool inside = false;
  const std::regex row("^\\| `([a-z0-9_]+)` \\|.*");
  for (std::string line; std::getline(page, line);) {
    std::smatch match;
    if (line.rfind("#", 0) == 0) inside = line == heading;
    if (inside && std::regex_match(line, match, row)) keys.insert(match[1]);
  }
  return keys;
}

inline std::set<std::string> keys_of(const nlohmann::json& object) {
  std::set<std::string> keys;
  for (const auto& item : object.items()) keys.insert(item.key());
  return keys;
}

}  // namespace strobe::result
