// Scalars with a declared type: what YAML leaves to guesswork is checked here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sw/yaml/document.h"

namespace strobe::yaml {

/// Reads a non-negative integer: decimal or 0x hexadecimal, `_` between digits allowed.
/// nullopt, with `*why` set to "expected ..., got ...", for anything else; a leading zero is
/// refused because YAML readers disagree whether 010 is ten or eight.
std::optional<uint64_t> integer_of(const Node& node, std::string* why);

/// A finite decimal number.
std::optional<double> real_of(const Node& node, std::string* why);

/// `true` or `false`, nothing else.
std::optional<bool> flag_of(const Node& node, std::string* why);

/// Text: any scalar.
std::optional<std::string> text_of(const Node& node, std::string* why);

}  // namespace strobe::yaml
