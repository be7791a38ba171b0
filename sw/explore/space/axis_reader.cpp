#include "sw/explore/space/axis_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "sw/yaml/scalar.h"

namespace strobe::explore {

using yaml::Entry;
using yaml::join_path;
using yaml::Mark;
using yaml::Node;

namespace {

/// Whether the paths are equal, or one names a part of what the other names.
bool overlap(const std::string& one, const std::string& other) {
  const std::string& shorter = one.size() < other.size() ? one : other;
  const std::string& longer = one.size() < other.size() ? other : one;
  if (longer.compare(0, shorter.size(), shorter) != 0) return false;
  return longer.size() == shorter.size() || longer[shorter.size()] == '.';
}

}  // namespace

void AxisReader::read_grid(const Entry& entry) {
  if (!is_map(entry.value, entry.key)) return;
  for (const Entry& key : entry.value.entries) {
    if (!claim(key, entry.key)) continue;
    Axis axis;
    axis.keys = {key.key};
    axis.marks = {key.key_mark};
    for (AxisValue& value : values(key, join_path(entry.key, key.key))) {
      axis.rows.emplace_back().emplace_back(std::move(value));
    }
    axes_.push_back(std::move(axis));
  }
}

void AxisReader::read_zip(const Entry& entry) {
  if (!is_map(entry.value, entry.key)) return;
  Axis axis;
  for (const Entry& key : entry.value.entries) {
    if (!claim(key, entry.key)) continue;
    const std::string path = join_path(entry.key, key.key);
    std::vector<AxisValue> column = values(key, path);
    if (axis.keys.empty()) axis.rows.resize(column.size());
    if (column.size() != axis.rows.size()) {
      fault(key.value.mark, path,
            fmt::format("expected as many values as {} has, which are {}, got {}", axis.keys[0],
                        axis.rows.size(), column.size()));
      continue;
    }
    axis.keys.push_back(key.key);
    axis.marks.push_back(key.key_mark);
    for (size_t i = 0; i < column.size(); ++i) axis.rows[i].emplace_back(std::move(column[i]));
  }
  if (!axis.keys.empty()) axes_.push_back(std::move(axis));
}

void AxisReader::read_list(const Entry& entry) {
  if (entry.value.kind != Node::Kind::kSequence || entry.value.items.empty()) {
    return fault(entry.value.mark, entry.key,
                 "wrong type, expected a list of maps, got " + entry.value.what());
  }
  Axis axis;
  for (const Node& item : entry.value.items) {
    if (!is_map(item, entry.key)) return;
    for (const Entry& key : item.entries) {
      if (key.key == kNameAxis) continue;
      if (std::find(axis.keys.begin(), axis.keys.end(), key.key) != axis.keys.end()) continue;
      if (!claim(key, entry.key)) continue;
      axis.keys.push_back(key.key);
      axis.marks.push_back(key.key_mark);
    }
  }
  if (axis.keys.empty()) {
    return fault(entry.value.mark, entry.key, "expected a key of the run file, got none");
  }
  if (!take_values(entry.value.items.size() * axis.keys.size(), entry.value.mark, entry.key))
    return;
  for (const Node& item : entry.value.items) {
    auto& row = axis.rows.emplace_back(axis.keys.size());
    for (size_t k = 0; k < axis.keys.size(); ++k) {
      if (const Entry* key = item.find(axis.keys[k])) row[k] = value_of(key->value, key->key);
    }
  }
  read_names(entry, &axis);
  axes_.push_back(std::move(axis));
}

void AxisReader::read_names(const Entry& list, Axis* axis) {
  const std::string path = join_path(list.key, kNameAxis);
  std::set<std::string> known;
  for (const Node& item : list.value.items) {
    const Entry* const name = item.find(kNameAxis);
    if ((name == nullptr) != (list.value.items.front().find(kNameAxis) == nullptr)) {
      return fault(item.mark, path, "expected a name in every entry of the list, or in none");
    }
    if (name == nullptr) continue;
    if (name->value.kind != Node::Kind::kScalar || name->value.scalar.empty()) {
      return fault(name->value.mark, path,
                   "wrong type, expected a text, got " + name->value.what());
    }
    const std::string& text = name->value.scalar;
    if (!known.insert(text).second) {
      return fault(name->value.mark, path,
                   "expected each name once, got " + text::in_quotes(text) + " again");
    }
    axis->names.push_back(text);
  }
}

std::vector<AxisValue> AxisReader::values(const Entry& entry, const std::string& path) {
  std::vector<AxisValue> result;
  if (entry.value.kind == Node::Kind::kMap) {
    result = range(entry.value, path);
  } else if (entry.value.kind != Node::Kind::kSequence) {
    fault(entry.value.mark, path,
          "wrong type, expected a list of values, {pow2: [FIRST, LAST]} or {linear: [FIRST, "
          "LAST, STEP]}, got " +
              entry.value.what());
    return result;
  } else {
    if (!take_values(entry.value.items.size(), entry.value.mark, path)) return result;
    for (const Node& item : entry.value.items) result.push_back(value_of(item, entry.key));
    if (result.empty()) fault(entry.value.mark, path, "expected at least one value, got none");
  }
  for (size_t i = 0; i < result.size() && i < 1000; ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (result[k].text != result[i].text) continue;
      fault(result[i].node.mark, path,
            "expected each value once, got " + text::in_quotes(result[i].text) + " again");
      break;
    }
  }
  return result;
}

std::vector<AxisValue> AxisReader::range(const Node& node, const std::string& path) {
  const char* kExpected = "expected {pow2: [FIRST, LAST]} or {linear: [FIRST, LAST, STEP]}, got ";
  const bool pow2 = node.entries.size() == 1 && node.entries[0].key == "pow2";
  const bool linear = node.entries.size() == 1 && node.entries[0].key == "linear";
  const size_t wanted = pow2 ? 2 : 3;
  if (!pow2 && !linear) {
    fault(node.mark, path, kExpected + text::in_quotes(flow_text(node)));
    return {};
  }
  const Node& ends = node.entries[0].value;
  std::vector<uint64_t> numbers;
  for (const Node& item : ends.items) {
    std::string why;
    const auto number = yaml::integer_of(item, &why);
    if (number) numbers.push_back(*number);
  }
  if (numbers.size() != wanted || ends.items.size() != wanted) {
    fault(ends.mark, path, kExpected + text::in_quotes(flow_text(node)));
    return {};
  }
  const uint64_t first = numbers[0], last = numbers[1], step = linear ? numbers[2] : 0;
  const auto power = [](uint64_t n) { return n != 0 && (n & (n - 1)) == 0; };
  if (first > last || (linear && step == 0) || (pow2 && (!power(first) || !power(last)))) {
    fault(ends.mark, path,
          fmt::format("empty range, expected FIRST <= LAST{}, got {}",
                      pow2 ? ", both powers of two" : " and a STEP of at least 1",
                      text::in_quotes(flow_text(node))));
    return {};
  }
  constexpr uint64_t kMostPowers = 64;
  const uint64_t count = linear ? (last - first) / step : kMostPowers;
  if (!take_values(count, ends.mark, path)) return {};
  std::vector<AxisValue> result;
  for (uint64_t value = first;;) {
    Node item;
    item.kind = Node::Kind::kScalar;
    item.mark = ends.mark;
    item.scalar = std::to_string(value);
    result.push_back(value_of(item, path));
    const uint64_t to_go = last - value;
    if (to_go < (pow2 ? value : step)) break;
    value += pow2 ? value : step;
  }
  return result;
}

AxisValue AxisReader::value_of(const Node& node, const std::string& key) {
  AxisValue result;
  result.node = node;
  const Entry* include = node.entries.size() == 1 ? node.find("include") : nullptr;
  includer_->resolve_part(&result.node, key);
  result.text = flow_text(result.node);
  result.shown = result.text;
  if (include != nullptr) result.shown = std::filesystem::path(include->value.scalar).stem();
  if (result.node.kind == Node::Kind::kMap && node.kind == Node::Kind::kScalar) {
    result.shown = node.scalar;  // the name of a file that comes with Strobe
    return result;
  }
  std::string ignored;
  result.kind = Value::Kind::kNumber;
  if (const auto number = yaml::real_of(node, &ignored)) {
    result.number = *number;
  } else if (const auto integer = yaml::integer_of(node, &ignored)) {  // such as 0x10, 1_000
    result.number = static_cast<double>(*integer);
  } else if (const auto flag = yaml::flag_of(node, &ignored)) {
    result.number = *flag ? 1 : 0;
  } else {
    result.kind = node.kind == Node::Kind::kScalar ? Value::Kind::kText : Value::Kind::kNothing;
  }
  return result;
}

bool AxisReader::take_values(uint64_t count, const Mark& mark, const std::string& path) {
  if (values_.take(count)) return true;
  fault(mark, path, "the axes have too many values: " + values_.excess());
  return false;
}

bool AxisReader::is_map(const Node& node, const std::string& path) {
  if (node.kind == Node::Kind::kMap && !node.entries.empty()) return true;
  fault(node.mark, path, "wrong type, expected a map of keys, got " + node.what());
  return false;
}

bool AxisReader::claim(const Entry& entry, const std::string& path) {
  const text::Limit& most = text::limits::kSweepKeys;
  const size_t count = keys_.size() + 1;
  if (text::exceeds(most, count)) {
    fault(entry.key_mark, join_path(path, entry.key),
          "too many axes: " + text::excess(most, fmt::format("at least {}", count)));
    return false;
  }
  for (const auto& [key, mark] : keys_) {
    if (!overlap(key, entry.key)) continue;
    fault(entry.key_mark, join_path(path, entry.key),
          fmt::format("two axes set the same key, expected one, got another {} in line {}",
                      text::in_quotes(key), mark.line));
    return false;
  }
  keys_[entry.key] = entry.key_mark;
  return true;
}

void AxisReader::fault(const Mark& mark, const std::string& path, const std::string& message) {
  diagnostics_->push_back(mark.error(path, message));
}

}  // namespace strobe::explore
