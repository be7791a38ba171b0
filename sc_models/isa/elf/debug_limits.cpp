#include "sc_models/isa/elf/debug_limits.h"

#include <dwarf.h>
#include <gelf.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <map>
#include <stdexcept>

#include "sc_models/isa/elf/debug_file.h"
#include "sw/text/limits.h"

namespace strobe::isa {
namespace {

namespace limits = text::limits;

/// The bytes of a section, read from front to back. What is cut off reads as 0, and libdw refuses
/// it.
class Bytes {
 public:
  Bytes(const char* data, size_t size) : data_(data), size_(size) {}

  size_t position() const { return at_; }
  bool at_end() const { return at_ >= size_; }
  void seek(uint64_t position) { at_ = std::min<uint64_t>(position, size_); }
  void skip(uint64_t count) { at_ += std::min<uint64_t>(count, size_ - at_); }

  uint64_t fixed(unsigned width) {
    uint64_t value = 0;
    std::memcpy(&value, data_ + at_, std::min<size_t>(width, size_ - at_));
    skip(width);
    return value;
  }
  uint64_t uleb128() {
    uint64_t value = 0;
    for (unsigned shift = 0; !at_end(); shift += 7) {
      const auto byte = static_cast<uint8_t>(data_[at_++]);
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  /// The length of a text, which is skipped.
  size_t text() {
    const size_t begin = at_;
    while (!at_end() && data_[at_] != '\0') ++at_;
    const size_t length = at_ - begin;
    skip(1);
    return length;
  }
  /// Where what begins here ends, by its length (DWARF 5, section 7.4).
  uint64_t end_of_unit() {
    offset_size_ = 4;
    uint64_t length = fixed(4);
    if (length == 0xffffffff) {
      offset_size_ = 8;
      length = fixed(8);
    }
    return at_ + std::min<uint64_t>(length, size_ - at_);
  }
  uint64_t offset() { return fixed(offset_size_); }
  unsigned offset_size() const { return offset_size_; }

 private:
  const char* data_;
  size_t size_, at_ = 0;
  unsigned offset_size_ = 4;
};

class Checker {
 public:
  explicit Checker(Elf* elf) : elf_(elf) {}

  void check() {
    if (!unreadable_debug(elf_).empty()) return;  // it is not read
    size_t size = 0;
    if (elf_rawfile(elf_, &size) != nullptr) file_.take(size);
    read_sections();
    longest_of_lines_ = longest(".debug_line_str");
    longest_ = longest(".debug_str");
    if (sections_.count(".debug_line") != 0) check_lines();
    for (const char* name : {".debug_info", ".debug_types"}) {
      if (sections_.count(name) != 0) check_units(name);
    }
  }

 private:
  [[noreturn]] static void refuse(const std::string& section, size_t at,
                                  const std::string& excess) {
    throw std::length_error("byte " + std::to_string(at) + " of " + section + ": " + excess);
  }

  void read_sections() {
    size_t names = 0;
    if (elf_getshdrstrndx(elf_, &names) != 0) return;
    if (names != 0 && !ends_with_zero(elf_, names)) {
      refuse("the names of sections", 0, "expected a zero at their end");
    }
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr || header.sh_type == SHT_NOBITS) continue;
      const char* name = elf_strptr(elf_, names, header.sh_name);
      if (name == nullptr) continue;
      if (std::strncmp(name, ".zdebug", 7) == 0) read_old_form(section, name);
      if (std::strncmp(name, ".debug", 6) == 0) read_section(section, header, name);
    }
  }

  void read_section(Elf_Scn* section, const GElf_Shdr& header, const std::string& name) {
    GElf_Chdr compressed;
    const bool packed = (header.sh_flags & SHF_COMPRESSED) != 0;
    if (packed && gelf_getchdr(section, &compressed) == nullptr) return;
    take_bytes(name, packed ? compressed.ch_size : header.sh_size);
    if (packed) take_unpacked(name, compressed.ch_size);
    if (packed && elf_compress(section, 0, 0) < 0) return;
    const Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return;
    sections_.emplace(name, Bytes(static_cast<const char*>(data->d_buf), data->d_size));
  }

  /// Reads a section as it was compressed before there was a flag: "ZLIB", eight bytes with the
  /// size, big-endian, and the data. libdw unpacks it itself.
  void read_old_form(Elf_Scn* section, const std::string& name) {
    constexpr size_t kMagic = 4, kHead = 12;
    const Elf_Data* data = elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr || data->d_size < kHead) return;
    const auto* bytes = static_cast<const uint8_t*>(data->d_buf);
    uLongf size = 0;
    for (size_t i = kMagic; i < kHead; ++i) size = size << 8 | bytes[i];
    take_bytes(name, size);
    take_unpacked(name, size);
    std::string& text = unpacked_.emplace_back(size, '\0');
    if (uncompress(reinterpret_cast<Bytef*>(text.data()), &size, bytes + kHead,
                   data->d_size - kHead) != Z_OK) {
      return;
    }
    sections_.emplace(".debug" + name.substr(7), Bytes(text.data(), size));
  }

  void take_bytes(const std::string& name, uint64_t bytes) {
    if (!bytes_.take(bytes)) refuse(name, 0, bytes_.excess());
  }

  /// What is unpacked is kept beside the file.
  void take_unpacked(const std::string& name, uint64_t bytes) {
    if (!file_.take(bytes)) refuse(name, 0, file_.excess());
  }

  /// The length of the longest text of a section.
  size_t longest(const char* name) const {
    const auto found = sections_.find(name);
    size_t length = 0;
    if (found == sections_.end()) return length;
    for (Bytes at = found->second; !at.at_end();) length = std::max(length, at.text());
    return length;
  }

  // --- .debug_line (DWARF 5, section 6.2)

  void check_lines() {
    const std::string name = ".debug_line";
    for (Bytes at = sections_.at(name); !at.at_end();) {
      const size_t begin = at.position();
      const uint64_t end = at.end_of_unit();
      const uint64_t version = at.fixed(2);
      if (version >= 5) at.skip(2);
      const uint64_t header = at.offset();
      const uint64_t program = at.position() + header;
      at.skip(version >= 4 ? 5
                           : 4);  // lengths, the default of is_stmt, the base and range of lines
      const auto first_special = static_cast<unsigned>(at.fixed(1));
      uint8_t operands[256] = {};
      for (unsigned i = 1; i < first_special; ++i) operands[i] = static_cast<uint8_t>(at.fixed(1));
      const uint64_t paths = version >= 5 ? bytes_of_paths(&at, end) : bytes_of_old_paths(&at, end);
      if (!paths_.take(paths)) refuse(name, begin, paths_.excess());
      at.seek(std::min(program, end));
      const uint64_t rows = rows_of(&at, end, first_special, operands);
      if (text::exceeds(limits::kDebugProgramRows, rows)) {
        refuse(name, begin, text::excess(limits::kDebugProgramRows, rows));
      }
      if (!rows_.take(rows)) refuse(name, begin, rows_.excess());
      at.seek(end);
    }
  }

  /// The rows that a line program makes.
  static uint64_t rows_of(Bytes* at, uint64_t end, unsigned first_special,
                          const uint8_t* operands) {
    uint64_t rows = 0;
    while (at->position() < end) {
      const auto opcode = static_cast<unsigned>(at->fixed(1));
      if (opcode >= first_special || opcode == DW_LNS_copy) {
        ++rows;
      } else if (opcode == 0) {
        const uint64_t length = at->uleb128(), next = at->position() + std::min(length, end);
        if (length > 0 && at->fixed(1) == DW_LNE_end_sequence) ++rows;
        at->seek(next);
      } else if (opcode == DW_LNS_fixed_advance_pc) {
        at->skip(2);
      } else {
        for (unsigned i = 0; i < operands[opcode]; ++i) at->uleb128();
      }
    }
    return rows;
  }

  /// At most how long the paths of the files are, each with its directory, which libdw joins.
  uint64_t bytes_of_old_paths(Bytes* at, uint64_t end) const {
    size_t directory = longest_, name = 0;  // that of the unit is in .debug_str
    for (size_t length = 1; length != 0 && at->position() < end;) {
      directory = std::max(directory, length = at->text());
    }
    uint64_t bytes = 0;
    while (at->position() < end && (name = at->text()) != 0) {
      bytes += directory + name + kFile;
      for (unsigned i = 0; i < 3; ++i) at->uleb128();
    }
    return bytes;
  }

  uint64_t bytes_of_paths(Bytes* at, uint64_t end) const {
    size_t directory = 0, name = 0;
    entries(at, end, &directory);
    const uint64_t files = entries(at, end, &name);
    return files * (directory + name + kFile);
  }

  /// Skips a table of directories or files. @return how many there are
  uint64_t entries(Bytes* at, uint64_t end, size_t* longest) const {
    uint8_t forms[256];
    const auto form_count = static_cast<unsigned>(at->fixed(1));
    for (unsigned i = 0; i < form_count; ++i) {
      at->uleb128();  // what the field is
      forms[i] = static_cast<uint8_t>(std::min<uint64_t>(at->uleb128(), 255));
    }
    const uint64_t count =
        std::min<uint64_t>(at->uleb128(), end - std::min(end, uint64_t{at->position()}));
    for (uint64_t i = 0; form_count > 0 && i < count && at->position() < end; ++i) {
      for (unsigned j = 0; j < form_count; ++j) *longest = std::max(*longest, field(at, forms[j]));
    }
    return count;
  }

  /// Skips a field. @return the length of its text
  size_t field(Bytes* at, uint8_t form) const {
    switch (form) {
      case DW_FORM_string:
        return at->text();
      case DW_FORM_udata:
        at->uleb128();
        return 0;
      case DW_FORM_block:
        at->skip(at->uleb128());
        return 0;
      case DW_FORM_data1:
        at->skip(1);
        return 0;
      case DW_FORM_data2:
        at->skip(2);
        return 0;
      case DW_FORM_data4:
        at->skip(4);
        return 0;
      case DW_FORM_data8:
        at->skip(8);
        return 0;
      case DW_FORM_data16:
        at->skip(16);
        return 0;
      default:  // an offset of a text
        at->skip(at->offset_size());
        return form == DW_FORM_line_strp ? longest_of_lines_ : longest_;
    }
  }

  // --- .debug_info (DWARF 5, section 7.5)

  /// Each unit has its own copy of the table of abbreviations that it names.
  void check_units(const std::string& name) {
    for (Bytes at = sections_.at(name); !at.at_end();) {
      const size_t begin = at.position();
      const uint64_t end = at.end_of_unit();
      const uint64_t version = at.fixed(2);
      if (version >= 5) at.skip(2);
      const uint64_t table = at.offset();
      if (!units_.take()) refuse(name, begin, units_.excess());
      if (!abbreviations_.take(abbreviations_at(table))) {
        refuse(name, begin, abbreviations_.excess());
      }
      at.seek(std::max<uint64_t>(end, begin + 4));
    }
  }

  /// The number of abbreviations in the table at `offset`, and of their attributes.
  uint64_t abbreviations_at(uint64_t offset) const {
    const auto found = sections_.find(".debug_abbrev");
    if (found == sections_.end()) return 0;
    Bytes at = found->second;
    at.seek(offset);
    uint64_t count = 0;
    while (!at.at_end() && at.uleb128() != 0 && count <= limits::kDebugAbbreviations.most) {
      at.uleb128();
      at.skip(1);
      ++count;
      for (bool more = true; more && !at.at_end(); ++count) {
        const uint64_t attribute = at.uleb128(), form = at.uleb128();
        if (form == DW_FORM_implicit_const) at.uleb128();
        more = attribute != 0 || form != 0;
      }
    }
    return count;
  }

  static constexpr size_t kFile = 32;  // bytes that libdw keeps of a file

  Elf* elf_;
  std::list<std::string> unpacked_;
  std::map<std::string, Bytes> sections_;
  size_t longest_of_lines_ = 0, longest_ = 0;  // bytes of a text in .debug_line_str, .debug_str
  text::Budget file_{limits::kElfBytes};
  text::Budget bytes_{limits::kDebugBytes}, rows_{limits::kDebugRows}, paths_{limits::kDebugPaths},
      units_{limits::kDebugUnits}, abbreviations_{limits::kDebugAbbreviations};
};

}  // namespace

bool ends_with_zero(Elf* elf, size_t section) {
  const Elf_Data* data = elf_getdata(elf_getscn(elf, section), nullptr);
  return data != nullptr && data->d_buf != nullptr && data->d_size > 0 &&
         static_cast<const char*>(data->d_buf)[data->d_size - 1] == '\0';
}

std::string debug_excess(Elf* elf) {
  try {
    Checker(elf).check();
  } catch (const std::length_error& excess) {
    return excess.what();
  }
  return "";
}

}  // namespace strobe::isa
