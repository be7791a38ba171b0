#include "sw/object/object_file.h"

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <memory>

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

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfCloser>;

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
    for (Section& section : file_->sections) {
      std::stable_sort(
          section.relocations.begin(), section.relocations.end(),
          [](const Relocation& a, const Relocation& b) { return a.offset < b.offset; });
    }
  }

 private:
  [[noreturn]] void damaged(const std::string& what, const std::string& expected,
                            const std::string& got) const {
    refuse(file_->name, what, expected, got, kDamaged);
  }

  Elf_Data* data_of(size_t index) const {
    Elf_Scn* section = elf_getscn(elf_, index);
    Elf_Data* data = section == nullptr ? nullptr : elf_getdata(section, nullptr);
    if (data == nullptr) {
      damaged(fmt::format("section {}", index), "its bytes inside the file", "less");
    }
    return data;
  }

  void read_headers() {
    size_t count = 0, names = 0;
    if (elf_getshdrnum(elf_, &count) != 0 || elf_getshdrstrndx(elf_, &names) != 0 ||
        count > kMostSections) {
      damaged("section headers", "a whole table", "another");
    }
    headers_.resize(count);
    file_->sections.resize(count);
    for (size_t i = 1; i < count; ++i) {
      Elf_Scn* scn = elf_getscn(elf_, i);
      if (scn == nullptr || gelf_getshdr(scn, &headers_[i]) == nullptr) {
        damaged(fmt::format("section {}", i), "a header", "none");
      }
      if ((headers_[i].sh_flags & SHF_COMPRESSED) != 0 &&
          (elf_compress(scn, 0, 0) < 0 || gelf_getshdr(scn, &headers_[i]) == nullptr)) {
        damaged(fmt::format("section {}", i), "bytes that can be decompressed", "others");
      }
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
          const Elf_Data* data = data_of(i);
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
      const size_t count = data->d_size / sizeof(Elf64_Sym);
      file_->symbols.resize(std::max<size_t>(count, 1));
      for (size_t j = 1; j < count; ++j) {
        GElf_Sym raw;
        if (gelf_getsym(data, static_cast<int>(j), &raw) == nullptr) {
          damaged(fmt::format("symbol {}", j), "an entry", "none");
        }
        Symbol& symbol = file_->symbols[j];
        const char* name = elf_strptr(elf_, headers_[i].sh_link, raw.st_name);
        symbol.name = name == nullptr ? "" : name;
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
};

/// A file in memory, for libelf, which writes to a descriptor.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("object", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::runtime_error("cannot make a file in memory");
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }

  std::vector<uint8_t> content(size_t size) const {
    std::vector<uint8_t> bytes(size);
    for (size_t done = 0; done < size;) {
      const ssize_t n =
          pread(descriptor_, bytes.data() + done, size - done, static_cast<off_t>(done));
      if (n <= 0) throw std::runtime_error("cannot read a file in memory");
      done += static_cast<size_t>(n);
    }
    return bytes;
  }

 private:
  int descriptor_;
};

/// Gives sections and symbols their numbers in the file, and libelf their contents.
class Writer {
 public:
  explicit Writer(const ObjectFile& file) : file_(file) { number(); }

  std::vector<uint8_t> write() {
    const MemoryFile memory;
    const ElfHandle elf(elf_begin(memory.descriptor(), ELF_C_WRITE, nullptr));
    elf_ = elf.get();
    Elf64_Ehdr* header = elf_ == nullptr ? nullptr : elf64_newehdr(elf_);
    if (header == nullptr) fail();
    header->e_ident[EI_DATA] = ELFDATA2LSB;
    header->e_type = ET_REL;
    header->e_machine = EM_RISCV;
    header->e_version = EV_CURRENT;
    header->e_flags = file_.elf_flags;
    header->e_shstrndx = static_cast<Elf64_Half>(symtab_ + 2);
    for (size_t i = 1; i < file_.sections.size(); ++i) {
      if (section_number_[i] != 0) add(file_.sections[i]);
    }
    for (size_t i = 1; i < file_.sections.size(); ++i) {
      if (relocation_number_[i] != 0) add_relocations(i);
    }
    std::string names(1, '\0');
    const std::vector<Elf64_Sym> table = symbol_table(&names);
    Elf64_Shdr* symbols =
        add(".symtab", SHT_SYMTAB, 8, ELF_T_SYM, table.data(), table.size() * sizeof(Elf64_Sym));
    symbols->sh_link = symtab_ + 1;
    symbols->sh_info = locals_;
    symbols->sh_entsize = sizeof(Elf64_Sym);
    add(".strtab", SHT_STRTAB, 1, ELF_T_BYTE, names.data(), names.size());
    const std::string all = section_names_ + ".shstrtab" + '\0';  // with its own name
    add(".shstrtab", SHT_STRTAB, 1, ELF_T_BYTE, all.data(), all.size());
    const off_t size = elf_update(elf_, ELF_C_WRITE);
    if (size < 0) fail();
    return memory.content(static_cast<size_t>(size));
  }

 private:
  [[noreturn]] void fail() const {
    throw ObjectError(fmt::format("{}: cannot be written: {}", file_.name, elf_errmsg(-1)));
  }

  static bool written(const Section& section) {
    switch (section.type) {
      case SHT_NULL:
      case SHT_SYMTAB:
      case SHT_STRTAB:
      case SHT_RELA:
      case SHT_SYMTAB_SHNDX:
        return false;
      default:
        return true;
    }
  }

  /// Local symbols come first, in their order; a table's header says where the others begin.
  void number() {
    section_number_.resize(file_.sections.size());
    relocation_number_.resize(file_.sections.size());
    uint32_t next = 1;
    for (size_t i = 1; i < file_.sections.size(); ++i) {
      if (written(file_.sections[i])) section_number_[i] = next++;
    }
    for (size_t i = 1; i < file_.sections.size(); ++i) {
      if (section_number_[i] != 0 && !file_.sections[i].relocations.empty()) {
        relocation_number_[i] = next++;
      }
    }
    symtab_ = next;
    symbol_number_.resize(file_.symbols.size());
    for (const bool local : {true, false}) {
      for (size_t i = 1; i < file_.symbols.size(); ++i) {
        if (file_.symbols[i].local() != local) continue;
        order_.push_back(static_cast<uint32_t>(i));
        symbol_number_[i] = static_cast<uint32_t>(order_.size());
      }
      if (local) locals_ = static_cast<uint32_t>(order_.size() + 1);
    }
  }

  /// `data` is kept here until all is written.
  Elf64_Shdr* add(const std::string& name, uint32_t type, uint64_t alignment, Elf_Type elf_type,
                  const void* data, size_t size) {
    Elf_Scn* section = elf_newscn(elf_);
    Elf_Data* content = section == nullptr ? nullptr : elf_newdata(section);
    Elf64_Shdr* header = section == nullptr ? nullptr : elf64_getshdr(section);
    if (content == nullptr || header == nullptr) fail();
    content->d_type = elf_type;
    content->d_align = alignment;
    content->d_size = size;
    content->d_version = EV_CURRENT;
    if (type != SHT_NOBITS && size > 0) {
      const auto* bytes = static_cast<const uint8_t*>(data);
      kept_.emplace_back(bytes, bytes + size);
      content->d_buf = kept_.back().data();
    }
    header->sh_name = static_cast<Elf64_Word>(section_names_.size());
    section_names_ += name + '\0';
    header->sh_type = type;
    header->sh_addralign = alignment;
    return header;
  }

  void add(const Section& section) {
    std::vector<uint32_t> group;
    if (section.type == SHT_GROUP) {
      group.push_back(section.group_flags);
      for (const uint32_t member : section.members) {
        group.push_back(section_number_[member]);
        if (relocation_number_[member] != 0) group.push_back(relocation_number_[member]);
      }
    }
    Elf64_Shdr* header =
        section.type == SHT_GROUP
            ? add(section.name, section.type, section.alignment, ELF_T_WORD, group.data(),
                  group.size() * sizeof(uint32_t))
            : add(section.name, section.type, section.alignment, ELF_T_BYTE, section.bytes.data(),
                  section.type == SHT_NOBITS ? section.size : section.bytes.size());
    header->sh_flags = section.flags;
    header->sh_entsize = section.entry_size;
    if (section.type == SHT_GROUP) {
      header->sh_link = symtab_;
      header->sh_info = symbol_number_[section.link];
    } else if ((section.flags & SHF_LINK_ORDER) != 0) {
      header->sh_link = section_number_[section.link];
    }
  }

  void add_relocations(size_t index) {
    const Section& section = file_.sections[index];
    std::vector<Elf64_Rela> table;
    table.reserve(section.relocations.size());
    for (const Relocation& relocation : section.relocations) {
      Elf64_Rela raw{};
      raw.r_offset = relocation.offset;
      raw.r_info = ELF64_R_INFO(uint64_t{symbol_number_[relocation.symbol]}, relocation.type);
      raw.r_addend = relocation.addend;
      table.push_back(raw);
    }
    Elf64_Shdr* header = add(".rela" + section.name, SHT_RELA, 8, ELF_T_RELA, table.data(),
                             table.size() * sizeof(Elf64_Rela));
    header->sh_flags = SHF_INFO_LINK | (section.flags & SHF_GROUP);
    header->sh_link = symtab_;
    header->sh_info = section_number_[index];
    header->sh_entsize = sizeof(Elf64_Rela);
  }

  std::vector<Elf64_Sym> symbol_table(std::string* names) const {
    std::vector<Elf64_Sym> table(1);
    std::string last;
    uint32_t last_name = 0;  // one label's name repeats thousands of times
    for (const uint32_t index : order_) {
      const Symbol& symbol = file_.symbols[index];
      Elf64_Sym raw{};
      if (!symbol.name.empty()) {
        if (symbol.name != last) {
          last = symbol.name;
          last_name = static_cast<uint32_t>(names->size());
          *names += symbol.name + '\0';
        }
        raw.st_name = last_name;
      }
      raw.st_info = static_cast<uint8_t>(ELF64_ST_INFO(symbol.binding, symbol.type));
      raw.st_other = symbol.other;
      raw.st_value = symbol.value;
      raw.st_size = symbol.size;
      const bool of_section = symbol.section != kAbsolute && symbol.section != kCommon;
      raw.st_shndx =
          static_cast<uint16_t>(of_section ? section_number_[symbol.section] : symbol.section);
      table.push_back(raw);
    }
    return table;
  }

  const ObjectFile& file_;
  Elf* elf_ = nullptr;
  std::list<std::vector<uint8_t>> kept_;
  std::string section_names_ = std::string(1, '\0');
  std::vector<uint32_t> section_number_, relocation_number_, symbol_number_, order_;
  uint32_t symtab_ = 0, locals_ = 1;
};

}  // namespace

bool Section::is_code() const { return type == SHT_PROGBITS && (flags & SHF_EXECINSTR) != 0; }

ObjectFile ObjectFile::parse(std::vector<uint8_t> bytes, const std::string& name) {
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

std::vector<uint8_t> ObjectFile::serialize() const { return Writer(*this).write(); }

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
