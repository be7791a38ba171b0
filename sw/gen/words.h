// Forms of a name and of a list in the texts that are generated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::gen {

/// "queue_depth": "QueueDepth".
std::string upper_camel(const std::string& name);
/// "queue_depth": "kQueueDepth".
std::string enumerator(const std::string& name);
std::string lower(std::string text);
/// A number with its digits grouped, such as 12,345.
std::string grouped(uint64_t value);
/// As a literal of C++: in quotes, with its quotes and backslashes escaped.
std::string quoted(const std::string& text);
std::vector<std::string> quoted(const std::vector<std::string>& texts);

/// The texts that `text` makes of the items, with `between` between two of them.
template <class Items, class Text>
std::string joined(const Items& items, const std::string& between, Text text) {
  std::string all;
  for (const auto& item : items) all += (all.empty() ? "" : between) + text(item);
  return all;
}

}  // namespace strobe::gen
