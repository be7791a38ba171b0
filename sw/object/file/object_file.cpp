#include "sw/object/file/object_file.h"

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>

#include "sw/object/file/elf_handle.h"
#include "sw/text/limits.h"

namespace strobe::object {
namespace {

constexpr size_t kMostSections = 0xff00;          // more need extended numbering
constexpr uint64_t kLargestAlignment = 1u << 16;  // a file is padded by as much

[[noreturn]] void refuse(const std::string& file, const std::string& what,
                         const std::string& expected, const std::string& got,
                         const std::string& advice) {
  throw ObjectError(
      fmt::format("{}: {}: expected {}, got {}; {}", file, what, expected, got, advice));
}

constexpr const char* kCompile = "compile it with riscv64-linux-gnu-gcc -c";
constexpr const char* kDamaged = "the file is damaged: compile it again";

void check_header(const std::vector<uint8_t>& bytes, const std::string& name) {
  if (bytes.size() >= 4 && std::memcmp(bytes.data(), "BC\xc0\xde", 4) == 0) {
    refuse(name, "bitcode of a link-time optimizer", "machine code", "LLVM bitcode",
           "compile it without -flto");
  }
  if (bytes.size() < sizeof(Elf64_Ehdr) || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) {
    refuse(name, "not an object file", "an ELF file of at least 64 bytes",
           bytes.size() < SELFMAG || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0
               ? "other bytes"
               : fmt::format("{} bytes", bytes.size()),
           kCompile);
  }
  if (bytes[EI_CLASS] != ELFCLASS64) {
    refuse(name, "wrong class", "ELF64",
           bytes[EI_CLASS] == ELFCLASS32 ? std::string("ELF32")
                                         : fmt::format("class {}", bytes[EI_CLASS]),
           kCompile);
  }
  if (bytes[EI_DATA] != ELFDATA2LSB) {
    refuse(name, "wrong byte order", "little-endian", "another", kCompile);
  }
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.e_machine != EM_RISCV) {
    refuse(name, "wrong machine", "RISC-V", fmt::format("machine {}", header.e_machine), kCompile);
  }
  if (header.e_type != ET_REL) {
    refuse(name, "wrong type", "a relocatable object (ET_REL)",
           header.e_type == ET_EXEC || header.e_type == ET_DYN
               ? "a linked file"
               : fmt::format("type {}", header.e_type),
           "name the objects that it was linked from");
  }
  if (header.e_shstrndx == SHN_XINDEX || header.e_shnum == 0 || header.e_shnum > kMostSections) {
    refuse(name, "unusual number of sections", fmt::format("1 to {}", kMostSections),
           fmt::format("{}", header.e_shnum), kDamaged);
  }
}

/// Every section, and the table of their headers, is inside the file: libelf leaves what it does
/// not read unchecked.
void check_extent(const std::vector<uint8_t>& bytes, const std::string& name) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const uint64_t table = uint64_t{header.e_shnum} * sizeof(Elf64_Shdr);
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > bytes.size() ||
      table > bytes.size() - header.e_shoff) {
    refuse(name, "the table of sections",
           fmt::format("{} entries of 64 bytes inside the file", header.e_shnum), "less", kDamaged);
  }
  for (unsigned i = 1; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, bytes.data() + header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type == SHT_NULL || section.sh_type == SHT_NOBITS) continue;
    if (section.sh_offset > bytes.size() || section.sh_size > bytes.size() - section.sh_offset) {
      refuse(name, fmt::format("section {}", i), "its bytes inside the file", "less", kDamaged);
    }
  }
}

class Reader {
 public:
  Reader(Elf* elf, ObjectFile* file) : elf_(elf), file_(file) {}

  void read() {
    read_headers();
    read_symbols();
    for (size_t i = 1; i < headers_.size(); ++i) {
      if (headers_[i].sh_type == SHT_RELA) read_relocations(headers_[i], i);
      if (headers_[i].sh_type == SHT_GROUP) read_group(i);
    }
    for (Section& section : file_->sections) sort_relocations(&section);
  }

 private:
  [[noreturn]] void damaged(const std::string& what, const std::string& expected,
                            const std::string& got) const {
    refuse(file_->name, what, expected, got, kDamaged);
  }

  [[noreturn]] void too_large(size_t section, const std::string& excess) const {
    throw ObjectError(fmt::format("{}: too large at section {}: {}", file_->name, section, excess));
  }

  /// Sections may share their bytes in the file.
  void take_bytes(size_t index) {
    const GElf_Shdr& header = headers_[index];
    if (header.sh_type == SHT_NULL || header.sh_type == SHT_NOBITS) return;
    if (!bytes_.take(header.sh_size)) too_large(index, bytes_.excess());
  }

  void take_unpacked(Elf_Scn* section, size_t index) {
    GElf_Chdr compressed;
    if (gelf_getchdr(section, &compressed) == nullptr) return;  // elf_compress() says why
    text::Budget left = bytes_;
    if (!left.take(compressed.ch_size)) too_large(index, left.excess());
  }

  Elf_Data* data_of(size_t index) const {
    Elf_Scn* section = elf_getscn(elf_, index);
    Elf_Data* data = section == nullptr ? nullptr : elf_getdata(section, nullptr);
    if (data == nullptr) {
      damaged(fmt::format("section {}", index), "its bytes inside the file", "less");
    }
    return data;
  }

  /// Those of a section as they are in the file: of a type that libelf knows, elf_getdata() would
  /// give whole entries or nothing.
  Elf_Data* bytes_of(size_t index) const {
    Elf_Data* data = elf_getdata_rawchunk(elf_, static_cast<int64_t>(headers_[index].sh_offset),
                                          headers_[index].sh_size, ELF_T_BYTE);
    if (data == nullptr) {
      damaged(fmt::format("section {}", index), "its bytes inside the file", "less");
    }
    return data;
  }

  /// In a section of texts that does not end with a zero, libelf looks for the last one each time.
  void expect_texts(size_t index) const {
    const Elf_Data* data = data_of(index);
    if (data->d_size == 0 || data->d_buf == nullptr ||
        static_cast<const char*>(data->d_buf)[data->d_size - 1] != '\0') {
      damaged(fmt::format("the texts of section {}", index), "a zero at their end", "none");
    }
  }

  void read_headers() {
    size_t count = 0, names = 0;
    if (elf_getshdrnum(elf_, &count) != 0 || elf_getshdrstrndx(elf_, &names) != 0 ||
        count > kMostSections) {
      damaged("section headers", "a whole table", "another");
    }
    expect_texts(names);
    headers_.resize(count);
    file_->sections.resize(count);
    for (size_t i = 1; i < count; ++i) {
      Elf_Scn* scn = elf_getscn(elf_, i);
      if (scn == nullptr || gelf_getshdr(scn, &headers_[i]) == nullptr) {
        damaged(fmt::format("section {}", i), "a header", "none");
      }
      const bool compressed = (headers_[i].sh_flags & SHF_COMPRESSED) != 0;
      if (compressed) take_unpacked(scn, i);
      if (compressed &&
          (elf_compress(scn, 0, 0) < 0 || gelf_getshdr(scn, &headers_[i]) == nullptr)) {
        damaged(fmt::format("section {}", i), "bytes that can be decompressed", "others");
      }
      take_bytes(i);
      const GElf_Shdr& header = headers_[i];
      Section& section = file_->sections[i];
      const char* name = elf_strptr(elf_, names, header.sh_name);
      section.name = name == nullptr ? "" : name;
      section.type = header.sh_type;
      section.flags = header.sh_flags;
      section.alignment = std::max<uint64_t>(header.sh_addralign, 1);
      section.entry_size = header.sh_entsize;
      if ((section.alignment & (section.alignment - 1)) != 0 ||
          section.alignment > kLargestAlignment) {
        damaged(fmt::format("alignment of section {}", section.name), "a power of two up to 2^16",
                fmt::format("{}", section.alignment));
      }
      if ((header.sh_flags & SHF_LINK_ORDER) != 0) {
        if (header.sh_link >= count) damaged("link order", "a section", "none");
        section.link = header.sh_link;
      }
      if (section.name.rfind(".gnu.lto_", 0) == 0) lto_ = true;
      switch (header.sh_type) {
        case SHT_NOBITS:
          section.size = header.sh_size;
          break;
        case SHT_NULL:
        case SHT_SYMTAB:
        case SHT_STRTAB:
        case SHT_RELA:
        case SHT_GROUP:
        case SHT_SYMTAB_SHNDX:
          break;
        case SHT_REL:
          damaged("relocations", "SHT_RELA", "SHT_REL");
        default: {
          const Elf_Data* data = compressed ? data_of(i) : bytes_of(i);
          if (data->d_size > 0 && data->d_buf == nullptr) damaged(section.name, "bytes", "none");
          const auto* bytes = static_cast<const uint8_t*>(data->d_buf);
          if (data->d_size > 0) section.bytes.assign(bytes, bytes + data->d_size);
        }
      }
    }
    const bool has_code = std::any_of(file_->sections.begin(), file_->sections.end(),
                                      [](auto& s) { return s.is_code() && !s.bytes.empty(); });
    if (lto_ && !has_code) {
      refuse(file_->name, "bitcode of a link-time optimizer", "machine code", "GCC bitcode",
             "compile it without -flto, or with -ffat-lto-objects");
    }
  }

  void read_symbols() {
    file_->symbols.resize(1);
    for (size_t i = 1; i < headers_.size(); ++i) {
      if (headers_[i].sh_type != SHT_SYMTAB) continue;
      if (symbols_ != 0) damaged("symbol tables", "one", "several");
      symbols_ = i;
      Elf_Data* data = data_of(i);
      expect_texts(headers_[i].sh_link);
      const size_t count = data->d_size / sizeof(Elf64_Sym);
      if (text::exceeds(text::limits::kObjectSymbols, count)) {
        too_large(i, text::excess(text::limits::kObjectSymbols, count));
      }
      file_->symbols.resize(std::max<size_t>(count, 1));
      for (size_t j = 1; j < count; ++j) {
        GElf_Sym raw;
        if (gelf_getsym(data, static_cast<int>(j), &raw) == nullptr) {
          damaged(fmt::format("symbol {}", j), "an entry", "none");
        }
        Symbol& symbol = file_->symbols[j];
        const char* name = elf_strptr(elf_, headers_[i].sh_link, raw.st_name);
        symbol.name = name == nullptr ? "" : name;
        if (!names_.take(symbol.name.size())) too_large(i, names_.excess());
        symbol.value = raw.st_value;
        symbol.size = raw.st_size;
        symbol.section = raw.st_shndx;
        symbol.binding = GELF_ST_BIND(raw.st_info);
        symbol.type = GELF_ST_TYPE(raw.st_info);
        symbol.other = raw.st_other;
        if (symbol.section != kAbsolute && symbol.section != kCommon &&
            symbol.section >= headers_.size()) {
          damaged(fmt::format("section of symbol {}", j),
                  fmt::format("less than {}", headers_.size()), fmt::format("{}", symbol.section));
        }
      }
    }
  }

  void read_relocations(const GElf_Shdr& header, size_t index) {
    if (header.sh_info == 0 || header.sh_info >= headers_.size() || header.sh_link != symbols_) {
      damaged(fmt::format("relocations of section {}", index), "a section and the symbol table",
              "another");
    }
    Section& target = file_->sections[header.sh_info];
    Elf_Data* data = data_of(index);
    const size_t count = data->d_size / sizeof(Elf64_Rela);
    target.relocations.reserve(target.relocations.size() + count);
    for (size_t j = 0; j < count; ++j) {
      GElf_Rela raw;
      if (gelf_getrela(data, static_cast<int>(j), &raw) == nullptr) {
        damaged(fmt::format("relocation {} of {}", j, target.name), "an entry", "none");
      }
      Relocation relocation;
      relocation.offset = raw.r_offset;
      relocation.type = static_cast<uint32_t>(GELF_R_TYPE(raw.r_info));
      relocation.symbol = static_cast<uint32_t>(GELF_R_SYM(raw.r_info));
      relocation.addend = raw.r_addend;
      if (relocation.symbol >= file_->symbols.size() || relocation.offset > target.bytes.size()) {
        damaged(fmt::format("relocation {} of {}", j, target.name),
                "a symbol of the table and an offset inside the section",
                fmt::format("symbol {}, offset {:#x}", relocation.symbol, relocation.offset));
      }
      target.relocations.push_back(relocation);
    }
  }

  void read_group(size_t index) {
    Elf_Data* data = data_of(index);
    Section& group = file_->sections[index];
    group.link = headers_[index].sh_info;
    if (group.link >= file_->symbols.size()) damaged("signature of a group", "a symbol", "none");
    const auto* words = static_cast<const uint32_t*>(data->d_buf);
    const size_t count = data->d_size / sizeof(uint32_t);
    if (count == 0) damaged("group", "its flags", "no bytes");
    group.group_flags = words[0];
    for (size_t j = 1; j < count; ++j) {
      if (words[j] == 0 || words[j] >= headers_.size()) {
        damaged("member of a group", "a section", fmt::format("{}", words[j]));
      }
      if (headers_[words[j]].sh_type != SHT_RELA) group.members.push_back(words[j]);
    }
  }

  Elf* elf_;
  ObjectFile* file_;
  std::vector<GElf_Shdr> headers_;
  size_t symbols_ = 0;
  bool lto_ = false;
  text::Budget bytes_{text::limits::kObjectBytes}, names_{text::limits::kObjectNames};
};

}  // namespace

bool Section::is_code() const { return type == SHT_PROGBITS && (flags & SHF_EXECINSTR) != 0; }

void sort_relocations(Section* section) {
  std::stable_sort(section->relocations.begin(), section->relocations.end(),
                   [](const Relocation& a, const Relocation& b) { return a.offset < b.offset; });
}

ObjectFile ObjectFile::parse(std::vector<uint8_t> bytes, const std::string& name) {
  const text::Limit& most = text::limits::kObjectBytes;
  if (text::exceeds(most, bytes.size())) {
    throw ObjectError(fmt::format("{}: too large: {}", name, text::excess(most, bytes.size())));
  }
  check_header(bytes, name);
  check_extent(bytes, name);
  elf_version(EV_CURRENT);
  const ElfHandle elf(elf_memory(reinterpret_cast<char*>(bytes.data()), bytes.size()));
  GElf_Ehdr header;
  if (elf == nullptr || gelf_getehdr(elf.get(), &header) == nullptr) {
    refuse(name, "the ELF header", "one that libelf reads", elf_errmsg(-1), kDamaged);
  }
  ObjectFile file;
  file.name = name;
  file.elf_flags = header.e_flags;
  Reader(elf.get(), &file).read();
  return file;
}

void ObjectFile::drop_debug_sections() {
  for (Section& section : sections) {
    if ((section.flags & SHF_ALLOC) != 0 || section.name.rfind(".debug_", 0) != 0) continue;
    section = Section();
  }
  for (Symbol& symbol : symbols) {
    const bool dropped = symbol.section != kUndefined && symbol.section < sections.size() &&
                         sections[symbol.section].type == SHT_NULL;
    if (dropped) symbol = Symbol();
  }
}

uint32_t ObjectFile::add_label(uint32_t section, uint64_t value, const std::string& label) {
  Symbol symbol;
  symbol.name = label;
  symbol.section = section;
  symbol.value = value;
  symbols.push_back(symbol);
  return static_cast<uint32_t>(symbols.size() - 1);
}

std::string ObjectFile::describe(uint32_t section, uint64_t offset) const {
  for (const Symbol& symbol : symbols) {
    if (symbol.section == section && symbol.size > 0 && !symbol.name.empty() &&
        symbol.value <= offset && offset - symbol.value < symbol.size) {
      return offset == symbol.value ? symbol.name
                                    : fmt::format("{}+{:#x}", symbol.name, offset - symbol.value);
    }
  }
  return fmt::format("{}+{:#x}", sections.at(section).name, offset);
}

}  // namespace strobe::object
