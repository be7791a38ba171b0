// ObjectFile::serialize(): gives sections and symbols their numbers, and libelf their contents.
#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <list>
#include <stdexcept>

#include "sw/object/file/elf_handle.h"
#include "sw/object/file/object_file.h"

namespace strobe::object {
namespace {

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

  /// A label of the assembler's, which only relocations name, or what was dropped with its section.
  static bool is_label(const Symbol& symbol) {
    return symbol.local() && symbol.type == STT_NOTYPE &&
           (symbol.name.empty() || symbol.name.rfind(".L", 0) == 0);
  }

  std::vector<bool> used_symbols() const {
    std::vector<bool> used(file_.symbols.size());
    for (size_t i = 1; i < file_.sections.size(); ++i) {
      const Section& section = file_.sections[i];
      if (section_number_[i] == 0) continue;
      if (section.type == SHT_GROUP) used[section.link] = true;
      for (const Relocation& relocation : section.relocations) used[relocation.symbol] = true;
    }
    return used;
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
    const std::vector<bool> used = used_symbols();
    for (const bool local : {true, false}) {
      for (size_t i = 1; i < file_.symbols.size(); ++i) {
        if (file_.symbols[i].local() != local || (!used[i] && is_label(file_.symbols[i]))) continue;
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
        if (section_number_[member] == 0) continue;
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

std::vector<uint8_t> ObjectFile::serialize() const { return Writer(*this).write(); }

}  // namespace strobe::object
