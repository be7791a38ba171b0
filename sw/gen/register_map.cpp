#include "sw/gen/register_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "sw/yaml/document.h"
#include "sw/yaml/map_reader.h"

namespace strobe::gen {
namespace {

using text::Diagnostics;
using yaml::MapReader;
using yaml::Node;

constexpr uint64_t kRegisterBytes = 8;
constexpr uint64_t kLargestBlock = 0x1000;  // 12-bit register addresses

const std::vector<std::string> kAccesses = {"ro", "rw", "rw1c", "rw0c", "w1s", "wo", "pop"};

bool is_name(const std::string& text, bool upper) {
  if (text.empty()) return false;
  const auto letter = [&](char c) { return upper ? c >= 'A' && c <= 'Z' : c >= 'a' && c <= 'z'; };
  if (!letter(text[0])) return false;
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

std::string read_access(MapReader& reader, const std::string& fallback) {
  const std::string access = reader.text_or("access", fallback).value_or(fallback);
  if (!access.empty() && std::find(kAccesses.begin(), kAccesses.end(), access) == kAccesses.end()) {
    reader.error(
        reader.find("access")->value.mark, "access",
        fmt::format("unknown access, expected one of {}, got {}{}", fmt::join(kAccesses, ", "),
                    text::in_quotes(access), text::did_you_mean(access, kAccesses)));
  }
  return access;
}

std::string read_name(MapReader& reader, bool upper) {
  const std::string name = reader.text("name").value_or("");
  if (!name.empty() && !is_name(name, upper)) {
    reader.error(
        reader.find("name")->value.mark, "name",
        fmt::format("wrong name, expected {}, got {}",
                    upper ? "UPPER_SNAKE_CASE" : "lower_snake_case", text::in_quotes(name)));
  }
  return name;
}

/// Reads "7" or "15:8" into the field. Leaves the field unchanged when the text is neither.
bool read_bits(const std::string& text, Field* field) {
  const size_t colon = text.find(':');
  const auto number = [](const std::string& digits, unsigned* value) {
    if (digits.empty() || digits.size() > 2) return false;
    if (!std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      return false;
    }
    *value = static_cast<unsigned>(std::stoul(digits));
    return *value < 64;
  };
  unsigned high = 0, low = 0;
  if (!number(text.substr(0, colon), &high)) return false;
  if (!number(colon == std::string::npos ? text : text.substr(colon + 1), &low)) return false;
  if (low > high) return false;
  field->high = high;
  field->low = low;
  return true;
}

/// A field's node without its entry `key`, whose node goes to `keys` if there are any.
Node without_key(const Node& node, std::vector<const Node*>* keys) {
  Node rest = node;
  if (keys == nullptr) return rest;
  const yaml::Entry* key = node.find("key");
  keys->push_back(key == nullptr ? nullptr : &key->value);
  const auto is_key = [](const yaml::Entry& entry) { return entry.key == "key"; };
  rest.entries.erase(std::remove_if(rest.entries.begin(), rest.entries.end(), is_key),
                     rest.entries.end());
  return rest;
}

}  // namespace

Field read_field(const Node& node, const std::string& path, const std::string& access,
                 Diagnostics* diagnostics) {
  MapReader reader(node, path, diagnostics);
  Field field;
  field.name = read_name(reader, false);
  field.access = read_access(reader, access);
  field.description = reader.text_or("description", "").value_or("");
  const auto bits = reader.text("bits");
  if (bits && !read_bits(*bits, &field)) {
    reader.error(reader.find("bits")->value.mark, "bits",
                 "wrong bits, expected \"high:low\" or \"bit\" within 63 to 0, got " +
                     text::in_quotes(*bits));
  }
  if (reader.find("reset") != nullptr) {
    field.reset = reader.integer("reset", 0, ~uint64_t{0} >> (63 - (field.high - field.low)));
  }
  reader.reject_unknown_keys();
  return field;
}

Register read_register(const Node& node, const std::string& path, uint64_t size,
                       std::vector<const Node*>* keys, Diagnostics* diagnostics) {
  MapReader reader(node, path, diagnostics);
  Register reg;
  reg.name = read_name(reader, true);
  reg.offset = reader.integer("offset", 0, size - kRegisterBytes).value_or(0);
  reg.count = reader.integer_or("count", 1, size / kRegisterBytes, 1).value_or(1);
  reg.stride =
      reader.integer_or("stride", kRegisterBytes, size, kRegisterBytes).value_or(kRegisterBytes);
  reg.access = read_access(reader, "");
  if (reader.require("access") == nullptr) reg.access = "ro";
  reg.regwen = reader.flag_or("regwen", false);
  reg.hardware = reader.flag_or("hardware", false);
  reg.description = reader.text("description").value_or("");
  if (reg.offset % kRegisterBytes != 0 || reg.stride % kRegisterBytes != 0) {
    reader.error(node.mark, "",
                 fmt::format("offset {:#x} and stride {:#x} of {}: expected multiples of 8",
                             reg.offset, reg.stride, reg.name));
  }
  if (const auto* fields = reader.list("fields")) {
    uint64_t used = 0;
    for (size_t i = 0; i < fields->size(); ++i) {
      const Node& item = (*fields)[i];
      const std::string field_path = fmt::format("{}.fields.{}", path, i);
      Field field = read_field(without_key(item, keys), field_path, reg.access, diagnostics);
      if ((used & field.mask()) != 0) {
        diagnostics->push_back(item.mark.error(
            field_path,
            fmt::format("bits {}:{} overlap another field of {}, expected bits of its own",
                        field.high, field.low, reg.name)));
      }
      used |= field.mask();
      reg.fields.push_back(std::move(field));
    }
  }
  reader.reject_unknown_keys();
  return reg;
}

namespace {

void check_places(const RegisterMap& map, const std::vector<Node>& nodes,
                  Diagnostics* diagnostics) {
  std::map<uint64_t, std::string> owner;
  std::map<std::string, size_t> names;
  for (size_t i = 0; i < map.registers.size(); ++i) {
    const Register& reg = map.registers[i];
    const std::string path = fmt::format("registers.{}", i);
    if (!names.emplace(reg.name, i).second) {
      diagnostics->push_back(nodes[i].mark.error(
          path, "a second register " + text::in_quotes(reg.name) + ", expected unique names"));
    }
    for (uint64_t k = 0; k < reg.count; ++k) {
      const uint64_t offset = reg.offset + k * reg.stride;
      if (offset > map.size - kRegisterBytes) {
        diagnostics->push_back(nodes[i].mark.error(
            path, fmt::format("{} reaches offset {:#x}, expected less than the block's size {:#x}",
                              reg.name, offset, map.size)));
        break;
      }
      const auto [place, fresh] = owner.emplace(offset, reg.name);
      if (!fresh) {
        diagnostics->push_back(nodes[i].mark.error(
            path, fmt::format("{} overlaps {} at offset {:#x}, expected an offset of its own",
                              reg.name, place->second, offset)));
        break;
      }
    }
  }
}

std::optional<RegisterMap> convert(const Node& root, Diagnostics* diagnostics) {
  RegisterMap map;
  MapReader reader(root, "", diagnostics);
  map.block = reader.text("block").value_or("");
  map.size = reader.integer("size", kRegisterBytes, kLargestBlock).value_or(kLargestBlock);
  if (const auto* registers = reader.list("registers")) {
    for (size_t i = 0; i < registers->size(); ++i) {
      map.registers.push_back(read_register((*registers)[i], fmt::format("registers.{}", i),
                                            map.size, nullptr, diagnostics));
    }
    check_places(map, *registers, diagnostics);
  }
  reader.reject_unknown_keys();
  if (!diagnostics->empty()) return std::nullopt;
  return map;
}

}  // namespace

uint64_t Register::reset_value() const {
  uint64_t value = 0;
  for (const Field& field : fields) value |= field.reset.value_or(0) << field.low;
  return value;
}

std::optional<RegisterMap> read_register_map(const std::string& path, Diagnostics* diagnostics) {
  Node root;
  if (!yaml::parse_yaml_file(path, path, nullptr, "", &root, diagnostics)) return std::nullopt;
  return convert(root, diagnostics);
}

std::optional<RegisterMap> parse_register_map(const std::string& text, const std::string& name,
                                              Diagnostics* diagnostics) {
  yaml::Source source;
  source.name = source.origin = name;
  Node root;
  if (!yaml::parse_yaml(text, source, &root, diagnostics)) return std::nullopt;
  return convert(root, diagnostics);
}

}  // namespace strobe::gen
