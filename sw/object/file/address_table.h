// Where the bytes of objects are in the program that the linker makes of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sw/object/file/object_file.h"

namespace strobe::object {

/// A byte of one of a program's objects. With section kCommon, `offset` is the index of a symbol:
/// one that the linker allocates, or whose address was asked for.
struct ObjectPlace {
  uint32_t object = 0, section = 0;
  uint64_t offset = 0;
};

/// The linker deletes bytes of code where it relaxes a relocation. An anchor stands after every
/// such place, so that all bytes keep their distance to the anchor before them, but for the one
/// instruction that the linker may have changed. A section that is not loaded carries the anchors'
/// addresses through the link.
class AddressTable {
 public:
  /// Gives the object its anchors. Objects come in the order in which they are linked, each once
  /// and after its last edit. @param symbols  whose addresses are wanted too
  void add_anchors(uint32_t object, ObjectFile* file, const std::vector<uint32_t>& symbols = {});

  /// Takes the addresses from the linked program. Throws ObjectError when it does not have them.
  void read(const std::vector<uint8_t>& elf, const std::string& name);

  /// After read(). Of a byte that the linker deleted, the address of what is left of its
  /// instruction; nothing for a section that is not in the program.
  std::optional<uint64_t> address(const ObjectPlace& place) const;

  /// The parts of a section that is no code, and what the linker allocates for the object: {place,
  /// size}, in the order of their numbers.
  const std::vector<std::pair<ObjectPlace, uint64_t>>& data() const { return data_; }

 private:
  struct Anchor {
    uint64_t begin = 0;  // where begins what the linker may change; it ends at `offset`
    uint64_t offset = 0, address = 0;
  };
  static std::vector<Anchor> anchors_of(const Section& section);

  std::map<std::pair<uint32_t, uint32_t>, std::vector<Anchor>> anchors_;
  /// Where symbols are that were asked for, by object; by symbol.
  std::map<uint32_t, std::vector<std::pair<uint64_t, ObjectPlace>>> places_;
  std::vector<std::pair<uint32_t, uint32_t>> order_;  // in the program's table
  std::vector<std::pair<ObjectPlace, uint64_t>> data_;
};

}  // namespace strobe::object
