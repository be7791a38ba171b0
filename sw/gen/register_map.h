// The register map of configs/registers.yaml, checked, as plain structs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/text/diagnostic.h"
#include "sw/yaml/document.h"

namespace strobe::gen {

struct Field {
  std::string name;  // lower_snake_case
  unsigned low = 0, high = 0;
  std::string access;             // the register's access unless the field has its own
  std::optional<uint64_t> reset;  // absent: the hardware determines the value
  std::string description;

  unsigned width() const { return high - low + 1; }
  uint64_t mask() const { return (~uint64_t{0} >> (63 - (high - low))) << low; }
};

struct Register {
  std::string name;  // UPPER_SNAKE_CASE
  uint64_t offset = 0;
  uint64_t count = 1, stride = 8;
  std::string access;
  bool regwen = false;
  bool hardware = false;
  bool of_compressor = false;  // from configs/blocks
  std::string description;
  std::vector<Field> fields;

  uint64_t reset_value() const;
};

struct RegisterMap {
  std::string block;
  uint64_t size = 0;
  std::vector<Register> registers;
};

/// Reads a field of a register whose access is `access`.
Field read_field(const yaml::Node& node, const std::string& path, const std::string& access,
                 text::Diagnostics* diagnostics);

/// Reads a register of a block of `size` bytes. With `keys`, a field may have a map `key`: its node
/// is added there, or null.
Register read_register(const yaml::Node& node, const std::string& path, uint64_t size,
                       std::vector<const yaml::Node*>* keys, text::Diagnostics* diagnostics);

/// Reads and checks a map: names, access kinds, alignment, overlaps of registers and of bits,
/// resets that do not fit. Returns nullopt, and adds every fault to `diagnostics`, when anything is
/// wrong.
std::optional<RegisterMap> read_register_map(const std::string& path,
                                             text::Diagnostics* diagnostics);
/// The same for a text; `name` stands for the file in messages.
std::optional<RegisterMap> parse_register_map(const std::string& text, const std::string& name,
                                              text::Diagnostics* diagnostics);

}  // namespace strobe::gen
