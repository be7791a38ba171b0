#include "sw/object/file/frame_rows.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "sw/object/file/frame_cursor.h"
#include "sw/text/limits.h"

namespace strobe::object {
namespace {

constexpr uint8_t kAdvance = 0x40, kOffset = 0x80, kRestore = 0xc0, kShort = 0x3f;
constexpr uint8_t kAdvance1 = 0x02, kAdvance2 = 0x03, kAdvance4 = 0x04, kOffsetExtended = 0x05,
                  kRestoreExtended = 0x06, kUndefined7 = 0x07, kSameValue = 0x08, kRegister = 0x09,
                  kRemember = 0x0a, kRestoreState = 0x0b, kDefineAddress = 0x0c,
                  kDefineRegister = 0x0d, kDefineOffset = 0x0e, kDefineExpression = 0x0f,
                  kExpression = 0x10, kValueExpression = 0x16;

void put_uleb128(uint64_t value, std::vector<uint8_t>* bytes) {
  do {
    const auto low = static_cast<uint8_t>(value & 0x7f);
    value >>= 7;
    bytes->push_back(value == 0 ? low : static_cast<uint8_t>(low | 0x80));
  } while (value != 0);
}

/// Executes the operations of a description.
class RowReader {
 public:
  RowReader(const ObjectFile& file, const Frame& frame) : file_(file), frame_(frame) {}

  std::optional<FrameRows> read() {
    const Section& section = file_.sections[frame_.section];
    rows_.push_back({frame_.code.offset, {}});
    if (!run(common_program())) return std::nullopt;
    FrameRows found;
    found.initial = rows_.back().row;
    if (!found.initial.rules.empty() || rows_.size() != 1) return std::nullopt;
    if (!run(Cursor(file_, section, frame_.program, frame_.end))) return std::nullopt;
    found.rows = std::move(rows_);
    return found;
  }

 private:
  /// The operations of the common entry.
  Cursor common_program() const {
    const Section& section = file_.sections[frame_.section];
    Cursor at(file_, section, frame_.cie, section.bytes.size());
    const auto length = at.read<uint32_t>();
    Cursor entry(file_, section, at.position(), at.position() + length);
    entry.skip(4);
    const auto version = entry.read<uint8_t>();
    const std::string augmentation = entry.text();
    entry.uleb128();
    entry.uleb128();
    if (version == 1) {
      entry.skip(1);
    } else {
      entry.uleb128();
    }
    if (!augmentation.empty() && augmentation[0] == 'z') entry.skip(entry.uleb128());
    return entry;
  }

  FrameRow& row() { return rows_.back().row; }

  void define_address() {
    row().frame_address = {kDefineAddress};
    put_uleb128(register_, &row().frame_address);
    put_uleb128(offset_, &row().frame_address);
  }

  /// Takes the copy of a row. A description of few bytes can ask for very many.
  const FrameRow& to_copy(const FrameRow& row) {
    constexpr uint64_t kRow = 64, kRule = 96;  // bytes besides those of the rules
    uint64_t bytes = kRow + row.frame_address.size();
    for (const auto& [of_register, rule] : row.rules) bytes += kRule + rule.size();
    if (copies_.take(bytes)) return row;
    throw ObjectError(fmt::format("{}: {}+{:#x}: the description of a frame is too large: {}",
                                  file_.name, file_.sections[frame_.section].name, frame_.begin,
                                  copies_.excess()));
  }

  void advance(uint64_t operand, uint64_t by) {
    const Section& section = file_.sections[frame_.section];
    const Relocation* const to = relocation_at(section, operand);
    const uint64_t where = to != nullptr ? location_of(file_, to->symbol, to->addend).offset
                                         : rows_.back().offset + by * frame_.alignment;
    if (where == rows_.back().offset) return;
    rows_.push_back({where, to_copy(row())});
  }

  /// The operation's bytes, from its opcode on, as a rule of the register that is its first
  /// operand.
  void rule(uint64_t begin, const Cursor& at, uint64_t of_register) {
    const std::vector<uint8_t>& bytes = file_.sections[frame_.section].bytes;
    row().rules[of_register].assign(bytes.begin() + static_cast<ptrdiff_t>(begin),
                                    bytes.begin() + static_cast<ptrdiff_t>(at.position()));
  }

  /// @return false at an operation that is not understood
  bool run(Cursor at) {
    while (!at.at_end()) {
      const uint64_t begin = at.position();
      const auto opcode = at.read<uint8_t>();
      const uint64_t low = opcode & kShort;
      switch (opcode & ~kShort) {
        case kAdvance:
          advance(begin, low);
          continue;
        case kOffset:
          at.uleb128();
          rule(begin, at, low);
          continue;
        case kRestore:
          row().rules.erase(low);
          continue;
        default:
          if (!run_extended(opcode, begin, &at)) return false;
      }
    }
    return true;
  }

  bool run_extended(uint8_t opcode, uint64_t begin, Cursor* at) {
    switch (opcode) {
      case 0:  // no operation
        return true;
      case kAdvance1:
        advance(begin + 1, at->read<uint8_t>());
        return true;
      case kAdvance2:
        advance(begin + 1, at->read<uint16_t>());
        return true;
      case kAdvance4:
        advance(begin + 1, at->read<uint32_t>());
        return true;
      case kOffsetExtended:
      case kUndefined7:
      case kSameValue:
      case kRegister:
      case kExpression:
      case kValueExpression: {
        Cursor operand = *at;
        const uint64_t of_register = operand.uleb128();
        skip_operands(file_, opcode, at);
        rule(begin, *at, of_register);
        return true;
      }
      case kRestoreExtended:
        row().rules.erase(at->uleb128());
        return true;
      case kRemember:
        remembered_.push_back({to_copy(row()), register_, offset_});
        return true;
      case kRestoreState:
        if (remembered_.empty()) return false;
        row() = remembered_.back().row;
        register_ = remembered_.back().address_register;
        offset_ = remembered_.back().offset;
        remembered_.pop_back();
        return true;
      case kDefineAddress:
        register_ = at->uleb128();
        offset_ = at->uleb128();
        define_address();
        return true;
      case kDefineRegister:
        register_ = at->uleb128();
        define_address();
        return true;
      case kDefineOffset:
        offset_ = at->uleb128();
        define_address();
        return true;
      case kDefineExpression:
        skip_operands(file_, opcode, at);
        row().frame_address.assign(
            file_.sections[frame_.section].bytes.begin() + static_cast<ptrdiff_t>(begin),
            file_.sections[frame_.section].bytes.begin() + static_cast<ptrdiff_t>(at->position()));
        return true;
      default:
        return false;
    }
  }

  struct Remembered {
    FrameRow row;
    uint64_t address_register, offset;
  };

  const ObjectFile& file_;
  const Frame& frame_;
  std::vector<PlacedRow> rows_;
  uint64_t register_ = 0, offset_ = 0;
  std::vector<Remembered> remembered_;
  text::Budget copies_{text::limits::kFrameRows};
};

/// The operations that make `to` of `from`.
std::vector<uint8_t> difference(const FrameRow& from, const FrameRow& to) {
  std::vector<uint8_t> bytes;
  if (from.frame_address != to.frame_address) bytes = to.frame_address;
  for (const auto& [of_register, rule] : from.rules) {
    if (to.rules.count(of_register) != 0) continue;
    bytes.push_back(kRestoreExtended);
    put_uleb128(of_register, &bytes);
  }
  for (const auto& [of_register, rule] : to.rules) {
    const auto known = from.rules.find(of_register);
    if (known == from.rules.end() || known->second != rule) {
      bytes.insert(bytes.end(), rule.begin(), rule.end());
    }
  }
  return bytes;
}

/// Builds a section of descriptions out of the entries of the old one.
class SectionWriter {
 public:
  SectionWriter(ObjectFile* file, uint32_t section) : file_(file), old_(file->sections[section]) {}

  void write(const std::map<uint64_t, const NewFrame*>& frames) {
    for (uint64_t begin = 0; begin + 4 <= old_.bytes.size();) {
      const uint64_t end = begin + 4 + word(begin);
      const auto found = frames.find(begin);
      places_[begin] = new_.size();
      if (found == frames.end()) {
        copy(begin, end);
      } else {
        write_anew(*found->second);
      }
      // A length of 0 is the end that crtend.o brings.
      if (word(begin) != 0 && word(begin + 4) != 0) set_common(begin);
      begin = end;
    }
    for (Symbol& symbol : file_->symbols) {
      if (&file_->sections[symbol.section < file_->sections.size() ? symbol.section : 0] != &old_) {
        continue;
      }
      const auto entry = std::prev(places_.upper_bound(symbol.value));
      symbol.value = entry->second + (symbol.value - entry->first);
    }
    old_.bytes = std::move(new_);
    old_.relocations = std::move(relocations_);
  }

 private:
  uint32_t word(uint64_t at) const {
    uint32_t value = 0;
    std::memcpy(&value, old_.bytes.data() + at, std::min<uint64_t>(4, old_.bytes.size() - at));
    return value;
  }
  void put(uint64_t at, uint64_t value) {
    for (unsigned i = 0; i < 4; ++i) new_[at + i] = static_cast<uint8_t>(value >> (8 * i));
  }

  /// With the relocations of these bytes.
  void copy(uint64_t begin, uint64_t end) {
    const uint64_t base = new_.size();
    new_.insert(new_.end(), old_.bytes.begin() + static_cast<ptrdiff_t>(begin),
                old_.bytes.begin() + static_cast<ptrdiff_t>(end));
    auto at = std::lower_bound(old_.relocations.begin(), old_.relocations.end(), begin,
                               [](const Relocation& r, uint64_t from) { return r.offset < from; });
    for (; at != old_.relocations.end() && at->offset < end; ++at) {
      relocations_.push_back(*at);
      relocations_.back().offset += base - begin;
    }
  }

  /// A frame's distance back to its common entry.
  void set_common(uint64_t begin) {
    const uint64_t common = places_.at(begin + 4 - word(begin + 4));
    put(places_.at(begin) + 4, places_.at(begin) + 4 - common);
  }

  void write_anew(const NewFrame& frame) {
    const uint64_t base = new_.size();
    copy(frame.frame.begin, frame.frame.program);
    uint32_t from = frame.start;
    FrameRow row = frame.initial;
    for (const auto& [symbol, next] : frame.rows) {
      if (next == row) continue;
      if (symbol != frame.start) {
        new_.push_back(kAdvance4);
        relocations_.push_back({new_.size(), R_RISCV_ADD32, symbol, 0});
        relocations_.push_back({new_.size(), R_RISCV_SUB32, from, 0});
        new_.insert(new_.end(), 4, 0);
        from = symbol;
      }
      const std::vector<uint8_t> change = difference(row, next);
      new_.insert(new_.end(), change.begin(), change.end());
      row = next;
    }
    while ((new_.size() - base) % 8 != 0) new_.push_back(0);
    put(base, new_.size() - base - 4);
  }

  ObjectFile* file_;
  Section& old_;
  std::vector<uint8_t> new_;
  std::vector<Relocation> relocations_;
  std::map<uint64_t, uint64_t> places_;  // new offset of each entry, by its old one
};

}  // namespace

std::optional<FrameRows> rows_of(const ObjectFile& file, const Frame& frame) {
  return RowReader(file, frame).read();
}

void rewrite_frames(ObjectFile* file, const std::vector<NewFrame>& frames) {
  std::map<uint32_t, std::map<uint64_t, const NewFrame*>> by_section;  // and by their beginning
  for (const NewFrame& frame : frames) {
    by_section[frame.frame.section][frame.frame.begin] = &frame;
  }
  for (const auto& [section, of_section] : by_section) {
    SectionWriter(file, section).write(of_section);
  }
}

}  // namespace strobe::object
