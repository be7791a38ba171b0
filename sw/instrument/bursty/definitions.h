// Where the symbols of a program's objects are defined.
#pragma once

#include <elf.h>

#include <optional>
#include <string>
#include <unordered_map>

#include "sw/object/analysis/program.h"

namespace strobe::instrument {

class Definitions {
 public:
  /// @param program  keeps its objects and their symbols; its code may be edited meanwhile
  explicit Definitions(const object::Program& program) : program_(program) {
    for (uint32_t i = 0; i < program.objects().size(); ++i) {
      for (const object::Symbol& symbol : program.objects()[i].file.symbols) {
        if (symbol.local() || !is_defined(symbol)) continue;
        const object::ObjectPlace place = {i, symbol.section, symbol.value};
        if (symbol.binding == STB_WEAK) {  // gives way
          global_.emplace(symbol.name, place);
        } else {
          global_[symbol.name] = place;
        }
      }
    }
  }

  /// The definition of a symbol of an object; nothing for one that the linker defines.
  std::optional<object::ObjectPlace> of(uint32_t object, uint32_t symbol) const {
    const object::Symbol& its = program_.objects()[object].file.symbols[symbol];
    if (is_defined(its)) return object::ObjectPlace{object, its.section, its.value};
    const auto found = global_.find(its.name);
    return found == global_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  static bool is_defined(const object::Symbol& symbol) {
    return symbol.section != object::kUndefined && symbol.section < object::kAbsolute;
  }

  const object::Program& program_;
  std::unordered_map<std::string, object::ObjectPlace> global_;
};

}  // namespace strobe::instrument
