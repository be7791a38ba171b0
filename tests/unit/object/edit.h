// A section under edit, and programs that show what an edit does when they run.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sw/object/analysis/code.h"
#include "sw/object/edit/editor.h"
#include "tests/unit/object/objects.h"

namespace strobe::object {

/// A program that calls the function f with a0 = 0 and exits with what it gives.
inline std::string calling(const std::string& f) {
  return ".globl _start\n.type _start,@function\n_start:\n" + std::string(kSetGp) +
         " li a0,0\n call f\n li a7,93\n ecall\n"
         ".size _start,.-_start\n.globl f\n.type f,@function\nf:\n" +
         f + ".size f,.-f\n";
}

inline int result_of(const ObjectFile& file) {
  const std::string text = behavior(file, kAlone);
  if (text.rfind("exit ", 0) != 0) throw std::runtime_error("the program says " + text);
  return std::stoi(text.substr(5));
}

/// One section of one object, with its editor.
struct Edit {
  explicit Edit(ObjectFile the_file)
      : file(std::move(the_file)),
        text(section_named(file, ".text")),
        code(&file, text),
        editor(&file, code) {}
  explicit Edit(const std::string& assembly) : Edit(assembled(assembly)) {}

  uint32_t at(const std::string& label) const { return value_of(file, label); }
  const Section& section() const { return file.sections[text]; }
  /// Relocations of a type, in order.
  std::vector<Relocation> relocations(uint32_t type) const {
    std::vector<Relocation> found;
    for (const Relocation& one : section().relocations) {
      if (one.type == type) found.push_back(one);
    }
    return found;
  }

  ObjectFile file;
  uint32_t text;
  Code code;
  Editor editor;
};

}  // namespace strobe::object
