// How descriptions of frames and of handlers follow an edit of their code.
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "sw/object/file/frame_cursor.h"
#include "sw/object/file/frames.h"

namespace strobe::object {
namespace {

/// What an advance has before its operand, and how many bytes the operand has; its first
/// relocation is of type `sets`.
struct Advance {
  uint32_t sets, subtracts;
  uint64_t limit;     // it says less than that
  unsigned in_front;  // bytes from the opcode to the relocation
  uint8_t mask, opcode;
  unsigned operand;  // bytes after the opcode
};
constexpr Advance kAdvances[] = {{R_RISCV_SET6, R_RISCV_SUB6, 1 << 6, 0, 0xc0, 0x40, 0},
                                 {R_RISCV_SET8, R_RISCV_SUB8, 1 << 8, 1, 0xff, 0x02, 1},
                                 {R_RISCV_SET16, R_RISCV_SUB16, 1 << 16, 1, 0xff, 0x03, 2}};
constexpr uint8_t kAdvanceFour = 0x04;  // DW_CFA_advance_loc4

void widen_advances_of(ObjectFile* file, uint32_t index) {
  Section& section = file->sections[index];
  std::vector<uint64_t> grown;  // before which bytes four more come, sorted
  std::vector<bool> widened(section.relocations.size());
  for (size_t i = 0; i + 1 < section.relocations.size(); ++i) {
    Relocation& end = section.relocations[i];
    Relocation& begin = section.relocations[i + 1];
    for (const Advance& advance : kAdvances) {
      if (end.type != advance.sets || begin.type != advance.subtracts ||
          begin.offset != end.offset) {
        continue;
      }
      const Location to = location_of(*file, end.symbol, end.addend);
      const Location from = location_of(*file, begin.symbol, begin.addend);
      if (to.section != from.section || to.offset - from.offset < advance.limit) continue;
      const uint64_t opcode = end.offset - advance.in_front;
      if (end.offset < advance.in_front || opcode + advance.operand >= section.bytes.size() ||
          (section.bytes[opcode] & advance.mask) != advance.opcode) {
        continue;  // no advance
      }
      // Four bytes in place of the operand, then no-ops, so that the entry grows by four.
      section.bytes[opcode] = kAdvanceFour;
      for (unsigned j = 1; j <= advance.operand; ++j) section.bytes[opcode + j] = 0;
      end.type = R_RISCV_ADD32;
      begin.type = R_RISCV_SUB32;
      end.offset = begin.offset = opcode;  // and one, once the opcode's new place is known
      widened[i] = widened[i + 1] = true;
      grown.push_back(opcode + 1 + advance.operand);
    }
  }
  if (grown.empty()) return;
  std::sort(grown.begin(), grown.end());
  const auto moved = [&](uint64_t offset) {
    return offset + 4 * static_cast<uint64_t>(std::upper_bound(grown.begin(), grown.end(), offset) -
                                              grown.begin());
  };
  const auto put = [&](uint64_t offset, uint64_t value) {
    for (unsigned i = 0; i < 4; ++i)
      section.bytes[offset + i] = static_cast<uint8_t>(value >> (8 * i));
  };
  for (uint64_t begin = 0; begin + 8 <= section.bytes.size();) {
    uint32_t length, id;
    std::memcpy(&length, section.bytes.data() + begin, 4);
    if (length == 0) {
      begin += 4;
      continue;
    }
    std::memcpy(&id, section.bytes.data() + begin + 4, 4);
    const uint64_t end = begin + 4 + length;
    put(begin, moved(end) - moved(begin) - 4);
    if (id != 0) put(begin + 4, moved(begin + 4) - moved(begin + 4 - id));
    begin = end;
  }
  std::vector<uint8_t> bytes;
  uint64_t done = 0;
  for (const uint64_t offset : grown) {
    bytes.insert(bytes.end(), section.bytes.begin() + static_cast<ptrdiff_t>(done),
                 section.bytes.begin() + static_cast<ptrdiff_t>(offset));
    bytes.insert(bytes.end(), 4, 0);
    done = offset;
  }
  bytes.insert(bytes.end(), section.bytes.begin() + static_cast<ptrdiff_t>(done),
               section.bytes.end());
  section.bytes = std::move(bytes);
  for (size_t i = 0; i < section.relocations.size(); ++i) {
    Relocation& relocation = section.relocations[i];
    relocation.offset = moved(relocation.offset) + (widened[i] ? 1 : 0);
  }
  sort_relocations(&section);  // others may stand at the opcode
  for (Symbol& symbol : file->symbols) {
    if (symbol.section == index) symbol.value = moved(symbol.value);
  }
}

}  // namespace

std::vector<FixedAdvance> fixed_advances(const ObjectFile& file, const std::vector<Frame>& frames,
                                         uint32_t code_section) {
  std::vector<FixedAdvance> found;
  for (const Frame& frame : frames) {
    if (frame.code.section != code_section) continue;
    const Section& section = file.sections[frame.section];
    uint64_t where = frame.code.offset;
    for (Cursor at(file, section, frame.program, frame.end); !at.at_end();) {
      FixedAdvance advance;
      advance.section = frame.section;
      advance.opcode = at.position();
      advance.from = where;
      const auto opcode = at.read<uint8_t>();
      uint64_t by = 0;
      if ((opcode & 0xc0) == 0x40) {
        by = opcode & 0x3f;
      } else if (opcode == 0x02) {
        by = at.read<uint8_t>();
      } else if (opcode == 0x03) {
        by = at.read<uint16_t>();
      } else if (opcode == kAdvanceFour) {
        by = at.read<uint32_t>();
      } else {
        skip_operands(file, opcode, &at);
        continue;
      }
      const uint64_t operand = advance.opcode + ((opcode & 0xc0) == 0x40 ? 0 : 1);
      if (const Relocation* to = relocation_at(section, operand)) {
        where = location_of(file, to->symbol, to->addend).offset;
        continue;
      }
      where += by * frame.alignment;
      advance.to = where;
      found.push_back(advance);
    }
  }
  return found;
}

namespace {

/// Clears a field and gives it the distance between two symbols. Its section is to be sorted.
void relate(Section* section, uint64_t field, uint64_t bytes, std::pair<uint32_t, uint32_t> types,
            uint32_t from, uint32_t to) {
  for (uint64_t i = 0; i < bytes; ++i) section->bytes[field + i] = 0;
  section->relocations.push_back({field, types.first, to, 0});
  section->relocations.push_back({field, types.second, from, 0});
}

}  // namespace

void relate_field(Section* section, const FixedField& field, uint32_t from, uint32_t to) {
  const bool is_long = field.bytes == 8;
  relate(
      section, field.field, field.bytes,
      is_long ? std::pair{R_RISCV_ADD64, R_RISCV_SUB64} : std::pair{R_RISCV_ADD32, R_RISCV_SUB32},
      from, to);
}

void relate_advance(ObjectFile* file, const FixedAdvance& advance, uint32_t from, uint32_t to) {
  Section& section = file->sections[advance.section];
  uint8_t& opcode = section.bytes[advance.opcode];
  std::pair<uint32_t, uint32_t> types = {R_RISCV_SET6, R_RISCV_SUB6};
  uint64_t operand = advance.opcode + 1, size = 0;
  if ((opcode & 0xc0) == 0x40) {
    opcode = 0x40;
    operand = advance.opcode;
  } else if (opcode == 0x02) {
    types = {R_RISCV_SET8, R_RISCV_SUB8};
    size = 1;
  } else if (opcode == 0x03) {
    types = {R_RISCV_SET16, R_RISCV_SUB16};
    size = 2;
  } else {
    types = {R_RISCV_ADD32, R_RISCV_SUB32};
    size = 4;
  }
  relate(&section, operand, size, types, from, to);
}

void widen_advances(ObjectFile* file) {
  for (uint32_t i = 1; i < file->sections.size(); ++i) {
    if (file->sections[i].name == ".eh_frame") widen_advances_of(file, i);
  }
}

}  // namespace strobe::object
