// Tables of the labels to which code jumps, in sections of data, and where each one ends.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/object/file/frames.h"
#include "sw/object/file/object_file.h"

namespace strobe::object {

/// The bytes [begin.offset, end) of a section.
struct JumpTable {
  Location begin;
  uint64_t end = 0;
  /// Entries are distances from `begin`, in 32 bits; else addresses.
  bool distances = false;
  /// The relocations show that the table has no other entry. A distance has a pair of relocations
  /// that names the table, so all that name it must stand in a row from its beginning on. An
  /// address has one relocation: a table of addresses ends where they end, or with its object.
  bool complete = true;
};

class JumpTables {
 public:
  explicit JumpTables(const ObjectFile& file);

  /// The table that code refers to by a place in it; nullptr when no table is there.
  const JumpTable* at(const Location& place) const;

 private:
  std::vector<JumpTable> tables_;  // by section and beginning; they do not overlap
};

/// The places of the labels in a table.
std::vector<Location> labels_of(const ObjectFile& file, const JumpTable& table);
/// Whether a relocation in data stores a label: a place in code that is no function's name.
bool is_label(const ObjectFile& file, const Relocation& relocation);
/// Whether the section has data that a program may refer to.
bool has_data(const Section& section);

}  // namespace strobe::object
