// Reads one map of a document: remembers which keys it was asked for, so that every other key is an
// error with the nearest name that would have been right.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/yaml/document.h"

namespace strobe::yaml {

class MapReader {
 public:
  /// `node` that is not a map is a diagnostic here, and then every key is absent.
  MapReader(const Node& node, std::string path, text::Diagnostics* diagnostics);

  /// The entry of `key`, or null. Declares the key.
  const Entry* find(const std::string& key);
  /// The same; its absence is a diagnostic.
  const Entry* require(const std::string& key);

  /// The value of a key that must be there; a diagnostic and nullopt otherwise.
  std::optional<uint64_t> integer(const std::string& key, uint64_t minimum, uint64_t maximum);
  std::optional<std::string> text(const std::string& key);
  /// The same for keys that may be absent: `fallback` then.
  std::optional<uint64_t> integer_or(const std::string& key, uint64_t minimum, uint64_t maximum,
                                     uint64_t fallback);
  std::optional<std::string> text_or(const std::string& key, const std::string& fallback);
  bool flag_or(const std::string& key, bool fallback);
  /// The items of a list that must be there.
  const std::vector<Node>* list(const std::string& key);

  /// Reports every key that was not asked for. Call it last.
  void reject_unknown_keys();

  void error(const Mark& mark, const std::string& key, const std::string& message);
  const std::string& path() const { return path_; }
  const Node& node() const { return node_; }

 private:
  std::optional<uint64_t> integer_at(const Entry& entry, uint64_t minimum, uint64_t maximum);
  std::optional<std::string> text_at(const Entry& entry);

  const Node& node_;
  std::string path_;
  text::Diagnostics* diagnostics_;
  std::vector<std::string> known_;
};

}  // namespace strobe::yaml
