#include "sw/object/file/frames.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "sw/object/file/frame_cursor.h"
#include "sw/text/limits.h"

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
      const text::Limit& most = text::limits::kFrameCommon;
      if (text::exceeds(most, length)) {
        throw ObjectError(fmt::format("{}: {}+{:#x}: a common entry of frames is too large: {}",
                                      file.name, section.name, frame.begin,
                                      text::excess(most, length)));
      }
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
