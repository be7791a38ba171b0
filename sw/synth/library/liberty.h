// Reads the Liberty format (.lib) into its tree of groups and attributes.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace strobe::synth {

struct LibertyGroup {
  std::string type;                                             // "cell"
  std::vector<std::string> arguments;                           // {"NAND2X1"}
  std::vector<std::pair<std::string, std::string>> attributes;  // simple ones, in file order
  std::vector<LibertyGroup> groups;

  /// The first argument, or "".
  std::string name() const { return arguments.empty() ? "" : arguments.front(); }
  /// The last value given to an attribute, or null.
  const std::string* attribute(const std::string& name) const;
  /// The first group of a type, or null.
  const LibertyGroup* group(const std::string& type) const;
};

/// Parses a file's text; `file` stands for it in messages. Returns the library group. Throws
/// std::runtime_error "FILE:LINE: ..." when the text is not Liberty.
LibertyGroup parse_liberty(const std::string& text, const std::string& file);

}  // namespace strobe::synth
