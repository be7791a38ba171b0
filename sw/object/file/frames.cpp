#include "sw/object/file/frames.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "sw/object/file/frame_cursor.h"

namespace strobe::object {
namespace {

constexpr uint8_t kOmitted = 0xff, kUnsigned4 = 0x03, kSigned4 = 0x0b;

/// What the entries of one common information entry share.
struct Common {
  uint8_t handlers_encoding = kOmitted, code_encoding = 0;
  uint64_t alignment = 1;  // of code
  bool augmented = false;
};

uint64_t size_of(uint8_t encoding) {
  return (encoding & 0x0f) == kUnsigned4 || (encoding & 0x0f) == kSigned4 ? 4 : 8;
}

Common read_common(Cursor at) {
  Common common;
  const auto version = at.read<uint8_t>();
  const std::string augmentation = at.text();
  common.alignment = at.uleb128();
  at.uleb128();  // data alignment, signed; its length is the same
  if (version == 1) {
    at.read<uint8_t>();
  } else {
    at.uleb128();
  }
  if (augmentation.empty() || augmentation[0] != 'z') return common;
  common.augmented = true;
  at.uleb128();
  for (size_t i = 1; i < augmentation.size(); ++i) {
    switch (augmentation[i]) {
      case 'L':
        common.handlers_encoding = at.read<uint8_t>();
        break;
      case 'P': {
        const auto encoding = at.read<uint8_t>();
        at.skip(size_of(encoding));
        break;
      }
      case 'R':
        common.code_encoding = at.read<uint8_t>();
        break;
      default:
        break;
    }
  }
  return common;
}

/// The two fields that say which code a frame describes.
void read_code(const ObjectFile& file, const Section& section, uint64_t size, Cursor* entry,
               Frame* frame) {
  const Relocation* const code = relocation_at(section, entry->position());
  if (code == nullptr) {
    throw ObjectError(fmt::format(
        "{}: {}+{:#x}: a frame without a relocation: expected one that names its code, "
        "got none; the file is damaged, or another tool has linked it: compile it again",
        file.name, section.name, frame->begin));
  }
  frame->code = location_of(file, code->symbol, code->addend);
  entry->skip(size);
  const uint64_t field = entry->position();
  const uint64_t length = size == 8 ? entry->read<uint64_t>() : entry->read<uint32_t>();
  if (const Relocation* const end = relocation_at(section, field)) {
    frame->code_end = location_of(file, end->symbol, end->addend).offset;
    return;
  }
  frame->code_end = frame->code.offset + length;
  frame->fixed_length = {field, size, frame->code.offset, frame->code_end};
}

void read_section(const ObjectFile& file, uint32_t index, std::vector<Frame>* frames) {
  const Section& section = file.sections[index];
  std::map<uint64_t, Common> commons;
  for (Cursor at(file, section, 0, section.bytes.size()); !at.at_end();) {
    Frame frame;
    frame.section = index;
    frame.begin = at.position();
    const auto length = at.read<uint32_t>();
    if (length == 0) continue;  // the end that crtend.o brings
    frame.end = at.position() + length;
    Cursor entry(file, section, at.position(), frame.end);
    const uint64_t id_field = at.position();
    at.skip(length);
    const auto id = entry.read<uint32_t>();
    if (id == 0) {
      commons[frame.begin] = read_common(entry);
      continue;
    }
    // Counted from its own field, backwards; some assemblers leave it to two relocations.
    frame.cie = id_field - id;
    const auto common = commons.find(frame.cie);
    if (common == commons.end()) {
      throw ObjectError(
          fmt::format("{}: {}+{:#x}: a frame without its common entry; compile the file again",
                      file.name, section.name, frame.begin));
    }
    read_code(file, section, size_of(common->second.code_encoding), &entry, &frame);
    frame.alignment = common->second.alignment;
    frame.program = entry.position();
    if (common->second.augmented) {
      const uint64_t augmentation = entry.uleb128();
      frame.program = entry.position() + augmentation;
      Cursor(entry).skip(augmentation);
      if (common->second.handlers_encoding != kOmitted) {
        frame.handlers_field = entry.position();
        if (const Relocation* handlers = relocation_at(section, frame.handlers_field)) {
          frame.has_handlers = true;
          frame.handlers = location_of(file, handlers->symbol, handlers->addend);
        }
      }
    }
    frames->push_back(frame);
  }
}

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
  for (Symbol& symbol : file->symbols) {
    if (symbol.section == index) symbol.value = moved(symbol.value);
  }
}

}  // namespace

/// Skips the operands of one operation of a description, DWARF 5 section 6.4.2; advances are not
/// handed here.
void skip_operands(const ObjectFile& file, uint8_t opcode, Cursor* at) {
  const auto numbers = [&](unsigned count) {
    for (unsigned i = 0; i < count; ++i) at->uleb128();
  };
  if (opcode >= 0xc0) return;  // restore
  if (opcode >= 0x80) return numbers(1);
  switch (opcode) {
    case 0x00:  // nop
    case 0x0a:  // remember_state
    case 0x0b:  // restore_state
    case 0x2d:  // GNU_window_save
      return;
    case 0x06:  // restore_extended
    case 0x07:  // undefined
    case 0x08:  // same_value
    case 0x0d:  // def_cfa_register
    case 0x0e:  // def_cfa_offset
    case 0x13:  // def_cfa_offset_sf
    case 0x2e:  // GNU_args_size
      return numbers(1);
    case 0x05:  // offset_extended
    case 0x09:  // register
    case 0x0c:  // def_cfa
    case 0x11:  // offset_extended_sf
    case 0x12:  // def_cfa_sf
    case 0x14:  // val_offset
    case 0x15:  // val_offset_sf
    case 0x2f:  // GNU_negative_offset_extended
      return numbers(2);
    case 0x0f:  // def_cfa_expression
      return at->skip(at->uleb128());
    case 0x10:  // expression
    case 0x16:  // val_expression
      numbers(1);
      return at->skip(at->uleb128());
    default:
      throw ObjectError(
          fmt::format("{}: .eh_frame+{:#x}: an operation {:#x} that DWARF 5 does not know; compile "
                      "the file again",
                      file.name, at->position() - 1, opcode));
  }
}

Location location_of(const ObjectFile& file, uint32_t symbol, int64_t addend) {
  const Symbol& s = file.symbols.at(symbol);
  if (s.section == kUndefined || s.section == kAbsolute || s.section == kCommon) return {};
  return {s.section, s.value + static_cast<uint64_t>(addend)};
}

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

std::vector<Frame> read_frames(const ObjectFile& file) {
  std::vector<Frame> frames;
  for (uint32_t i = 1; i < file.sections.size(); ++i) {
    if (file.sections[i].name == ".eh_frame") read_section(file, i, &frames);
  }
  return frames;
}

namespace {

/// A place of the code of a table of call sites, which is counted from another one.
Location read_place(const ObjectFile& file, const Section& section, uint64_t from, Cursor* at,
                    Handlers* table) {
  const uint64_t field = at->position();
  const uint64_t to = from + at->read<uint32_t>();
  if (const Relocation* const place = relocation_at(section, field)) {
    return location_of(file, place->symbol, place->addend);
  }
  table->fixed.push_back({field, 4, from, to});
  return {table->code_section, to};
}

}  // namespace

std::vector<Handlers> read_handlers(const ObjectFile& file, const std::vector<Frame>& frames) {
  std::vector<Handlers> tables;
  std::map<uint32_t, std::vector<uint64_t>> begins;  // where the tables begin, by section
  for (const Frame& frame : frames) {
    if (frame.has_handlers) begins[frame.handlers.section].push_back(frame.handlers.offset);
  }
  for (auto& [section, offsets] : begins) std::sort(offsets.begin(), offsets.end());
  for (const Frame& frame : frames) {
    if (!frame.has_handlers || frame.handlers.section == 0) continue;
    const Section& section = file.sections[frame.handlers.section];
    Handlers table;
    table.begin = frame.handlers;
    table.code_section = frame.code.section;
    const std::vector<uint64_t>& offsets = begins[frame.handlers.section];
    const auto next = std::upper_bound(offsets.begin(), offsets.end(), frame.handlers.offset);
    table.end = next == offsets.end() ? section.bytes.size() : *next;
    Cursor at(file, section, frame.handlers.offset, table.end);
    const auto start = at.read<uint8_t>(), types = at.read<uint8_t>();
    if (types != kOmitted) at.uleb128();
    const auto encoding = at.read<uint8_t>();
    if (start != kOmitted || encoding != kUnsigned4) {
      throw ObjectError(
          fmt::format("{}: {}+{:#x}: an exception table in another form: expected the encodings ff "
                      "and 3 of gcc, got {:x} and {:x}; "
                      "compile it with riscv64-linux-gnu-g++ 12, or leave this object out",
                      file.name, section.name, frame.handlers.offset, start, encoding));
    }
    const uint64_t size = at.uleb128();
    const uint64_t end = at.position() + size;
    while (at.position() < end) {
      const uint64_t function = frame.code.offset;
      const Location begin = read_place(file, section, function, &at, &table);
      read_place(file, section, begin.offset, &at, &table);
      const Location pad = read_place(file, section, function, &at, &table);
      at.uleb128();
      // A landing pad is not the function's first instruction: 0 says that there is none.
      if (pad.section == table.code_section && pad.offset != function &&
          pad.offset < file.sections[pad.section].bytes.size()) {
        table.landing_pads.push_back(static_cast<uint32_t>(pad.offset));
      }
    }
    tables.push_back(table);
  }
  return tables;
}

}  // namespace strobe::object
