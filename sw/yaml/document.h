// A YAML document as a tree in which every node knows where it was written.
//
// This is the only place that sees yaml-cpp, which on its own reports a missing key without a
// position, keeps the first of two equal keys, and reads 010 as 8. Anchors, aliases and tags are
// refused; plain scalars are text until a declared type reads them (scalar.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sw/text/diagnostic.h"

namespace strobe::yaml {

/// Where text came from.
struct Source {
  std::string name;       // for messages: the path as the user gave it, or "--set 'a.b=1'"
  std::string origin;     // for the effective configuration: relative to the run file, or "--set"
  std::string directory;  // what relative paths in this text are relative to
  bool is_override = false;  // from the command line: it has no lines
  std::string text;
  std::vector<size_t> lines;  // where each begins in the text
};

struct Mark {
  std::shared_ptr<const Source> source;
  int line = 0, column = 0;  // from 1

  text::Diagnostic error(const std::string& path, const std::string& message) const;
  /// "file:line" relative to the run file, or "--set".
  std::string origin() const;
};

struct Node;

struct Entry;

struct Node {
  enum class Kind { kNull, kScalar, kSequence, kMap };

  Kind kind = Kind::kNull;
  Mark mark;
  std::string scalar;
  bool quoted = false;         // 'x' and "x" are text, never a number
  std::vector<Node> items;     // kSequence
  std::vector<Entry> entries;  // kMap, in file order, keys unique

  const Entry* find(const std::string& key) const;
  Entry* find(const std::string& key);
  /// "a map", "a list", "nothing", or the quoted scalar: the "got" of a message.
  std::string what() const;
};

struct Entry {
  std::string key;
  Mark key_mark;
  Node value;
};

inline constexpr int kDeepestNesting = 32;
inline constexpr size_t kLongestKey = 256;  // characters

/// Parses one document from `text`, within the limits of sw/text/limits.h. Faults are appended to
/// `diagnostics`; false when the text is not YAML at all, true when `root` can be read on
/// (duplicate keys, for one, are faults that do not stop the reading).
bool parse_yaml(const std::string& text, Source source, Node* root, text::Diagnostics* diagnostics);

/// Reads and parses a file; `origin` as in Source. A file that cannot be read is a diagnostic at
/// `from` (the place that names it), or without a place when `from` is null.
bool parse_yaml_file(const std::string& path, const std::string& origin, const Mark* from,
                     const std::string& from_path, Node* root, text::Diagnostics* diagnostics);

/// The number of values in a tree: the node itself, its keys, and what is below them.
size_t values_in(const Node& node);

/// "a.b" + "c" = "a.b.c"; "" + "c" = "c".
std::string join_path(const std::string& path, const std::string& key);

}  // namespace strobe::yaml
