// The descriptions of frames (.eh_frame) and of exception handlers (.gcc_except_table) of an
// object, as an editor needs them.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/object/file/object_file.h"

namespace strobe::object {

/// A place of a section.
struct Location {
  uint32_t section = 0;
  uint64_t offset = 0;

  bool operator==(const Location& other) const {
    return section == other.section && offset == other.offset;
  }
};

/// A distance between two places of code that stands as a number, because the assembler knew that
/// the linker does not change it.
struct FixedField {
  uint64_t field = 0, bytes = 0;  // where it is in its section; 0 bytes: none
  uint64_t from = 0, to = 0;      // offsets of the code
};

/// One frame description entry (DWARF 5, section 6.4.1).
struct Frame {
  uint32_t section = 0;         // where the entry is
  uint64_t begin = 0, end = 0;  // its bytes there
  uint64_t cie = 0;             // where the entry that it shares with others begins
  Location code;                // the first instruction that it describes
  uint64_t code_end = 0;        // in the same section
  FixedField fixed_length;
  bool has_handlers = false;    // it names a table of call sites
  uint64_t handlers_field = 0;  // where in the entry; a relocation stands there
  Location handlers;            // the table
  uint64_t program = 0;         // where its operations begin
  uint64_t alignment = 1;       // bytes of code that an advance counts
};

/// A table of call sites (the language-specific data area of the Itanium ABI).
struct Handlers {
  Location begin;
  uint64_t end = 0;                    // in the same section
  std::vector<uint32_t> landing_pads;  // offsets in `code_section`
  uint32_t code_section = 0;
  std::vector<FixedField> fixed;
};

/// Reads every .eh_frame section. Throws ObjectError when an entry is cut off, or names no code
/// with a relocation.
std::vector<Frame> read_frames(const ObjectFile& file);

/// The tables that `frames` name. Throws ObjectError when one is cut off or has an encoding that
/// gcc does not write.
std::vector<Handlers> read_handlers(const ObjectFile& file, const std::vector<Frame>& frames);

/// An advance over code that the assembler knew not to change, so that it has no relocations.
struct FixedAdvance {
  uint32_t section = 0;       // where the description is
  uint64_t opcode = 0;        // where it stands there
  uint64_t from = 0, to = 0;  // offsets of the code
};

/// Those of the code of one section. Throws ObjectError for an operation that DWARF 5 does not
/// know.
std::vector<FixedAdvance> fixed_advances(const ObjectFile& file, const std::vector<Frame>& frames,
                                         uint32_t code_section);
/// Gives a field of a section relocations: it is the distance between the symbols `from` and `to`
/// now. After this and the next one the section's relocations are to be sorted.
void relate_field(Section* section, const FixedField& field, uint32_t from, uint32_t to);
/// Gives the advance relocations, over code that now is between the symbols `from` and `to`.
void relate_advance(ObjectFile* file, const FixedAdvance& advance, uint32_t from, uint32_t to);

/// An advance of a frame's description over more code than its field can say becomes one of four
/// bytes. Called after code has grown.
void widen_advances(ObjectFile* file);

/// Where a symbol and an addend are; section 0 of one that is not defined here.
Location location_of(const ObjectFile& file, uint32_t symbol, int64_t addend);

}  // namespace strobe::object
