// An object whose code is decoded, with its functions and places found by name: what the tests of
// the analyses share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "sw/object/analysis/flow_graph.h"
#include "sw/object/analysis/program.h"
#include "tests/unit/object/objects.h"

namespace strobe::object {

/// Assembly of a global function.
inline std::string function_text(const std::string& name, const std::string& body) {
  return ".text\n.globl " + name + "\n.type " + name + ",@function\n" + name + ":\n" + body +
         "\n.size " + name + ",.-" + name + "\n";
}

struct Decoded {
  explicit Decoded(ObjectFile file) : object(std::move(file)) {}
  explicit Decoded(const std::string& assembly) : Decoded(assembled(assembly)) {}

  const Code& code_with(const std::string& label) const {
    return *object.code_of(object.file.symbols[symbol_named(object.file, label)].section);
  }
  /// The index of the instruction at a label.
  uint32_t at(const std::string& label) const {
    return static_cast<uint32_t>(code_with(label).at(value_of(object.file, label)));
  }
  const Instruction& instruction(const std::string& label) const {
    return code_with(label).instructions().at(at(label));
  }
  const Function& function(const std::string& name) const {
    for (const Function& function : code_with(name).functions()) {
      if (function.start == value_of(object.file, name)) return function;
    }
    throw std::runtime_error("no function " + name);
  }
  FlowGraph graph(const std::string& name) const {
    return {code_with(name), function(name), object.references};
  }

  ProgramObject object;
};

}  // namespace strobe::object
