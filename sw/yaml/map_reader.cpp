#include "sw/yaml/map_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw/yaml/scalar.h"

namespace strobe::yaml {

MapReader::MapReader(const Node& node, std::string path, text::Diagnostics* diagnostics)
    : node_(node), path_(std::move(path)), diagnostics_(diagnostics) {
  if (node_.kind != Node::Kind::kMap) {
    diagnostics_->push_back(
        node_.mark.error(path_, "wrong type, expected a map, got " + node_.what()));
  }
}

const Entry* MapReader::find(const std::string& key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  return node_.find(key);
}

const Entry* MapReader::require(const std::string& key) {
  const Entry* entry = find(key);
  if (entry == nullptr && node_.kind == Node::Kind::kMap) {
    error(node_.mark, key, "missing key");
  }
  return entry;
}

std::optional<uint64_t> MapReader::integer_at(const Entry& entry, uint64_t minimum,
                                              uint64_t maximum) {
  std::string why;
  const auto value = integer_of(entry.value, &why);
  if (!value) {
    error(entry.value.mark, entry.key, "wrong type, " + why);
    return std::nullopt;
  }
  if (*value < minimum || *value > maximum) {
    error(entry.value.mark, entry.key,
          fmt::format("out of range, expected {} to {}, got {}", minimum, maximum, *value));
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> MapReader::text_at(const Entry& entry) {
  std::string why;
  auto value = text_of(entry.value, &why);
  if (!value) error(entry.value.mark, entry.key, "wrong type, " + why);
  return value;
}

std::optional<uint64_t> MapReader::integer(const std::string& key, uint64_t minimum,
                                           uint64_t maximum) {
  const Entry* entry = require(key);
  if (entry == nullptr) return std::nullopt;
  return integer_at(*entry, minimum, maximum);
}

std::optional<std::string> MapReader::text(const std::string& key) {
  const Entry* entry = require(key);
  if (entry == nullptr) return std::nullopt;
  return text_at(*entry);
}

std::optional<uint64_t> MapReader::integer_or(const std::string& key, uint64_t minimum,
                                              uint64_t maximum, uint64_t fallback) {
  const Entry* entry = find(key);
  if (entry == nullptr) return fallback;
  return integer_at(*entry, minimum, maximum);
}

std::optional<std::string> MapReader::text_or(const std::string& key, const std::string& fallback) {
  const Entry* entry = find(key);
  if (entry == nullptr) return fallback;
  return text_at(*entry);
}

bool MapReader::flag_or(const std::string& key, bool fallback) {
  const Entry* entry = find(key);
  if (entry == nullptr) return fallback;
  std::string why;
  const auto value = flag_of(entry->value, &why);
  if (!value) error(entry->value.mark, key, "wrong type, " + why);
  return value.value_or(fallback);
}

const std::vector<Node>* MapReader::list(const std::string& key) {
  const Entry* entry = require(key);
  if (entry == nullptr) return nullptr;
  if (entry->value.kind != Node::Kind::kSequence) {
    error(entry->value.mark, key, "wrong type, expected a list, got " + entry->value.what());
    return nullptr;
  }
  return &entry->value.items;
}

void MapReader::reject_unknown_keys() {
  for (const Entry& entry : node_.entries) {
    if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
    if (diagnostics_->only_count()) continue;
    std::string hint = text::did_you_mean(entry.key, known_);
    if (hint.empty()) hint = fmt::format(", expected one of: {}", fmt::join(known_, ", "));
    error(entry.key_mark, entry.key, "unknown key" + hint);
  }
}

void MapReader::error(const Mark& mark, const std::string& key, const std::string& message) {
  diagnostics_->push_back(mark.error(join_path(path_, key), message));
}

}  // namespace strobe::yaml
