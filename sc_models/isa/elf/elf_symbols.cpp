#include "sc_models/isa/elf/elf_symbols.h"

#include <cxxabi.h>
#include <gelf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <tuple>

#include "sc_models/isa/elf/debug_limits.h"

namespace strobe::isa {
namespace {

// Back references (S0_, T_ ...) let a hostile name unfold to a text exponentially longer than
// itself. Names that are longer or have more references than real code has are not demangled.
constexpr size_t kLongestMangledName = 2048;
constexpr int kMostReferences = 24;

int back_references(const char* name) {
  int count = 0;
  for (; *name != '\0'; ++name) {
    if (*name != 'S' && *name != 'T') continue;
    const char* end = name + 1;
    while ((*end >= '0' && *end <= '9') || (*end >= 'A' && *end <= 'Z')) ++end;
    count += *end == '_' ? 1 : 0;
  }
  return count;
}

std::string demangle(const char* name) {
  if (std::strncmp(name, "_Z", 2) != 0 || std::strlen(name) > kLongestMangledName ||
      back_references(name) > kMostReferences) {
    return name;
  }
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : name;
  std::free(text);
  return result;
}

// Marks without a type that are not names: $x and $d (alone, before a dot, or $x before an ISA) say
// where code and data begin (psABI, "Mapping Symbol"), and names such as .L are the assembler's.
bool is_mark(const std::string& name) {
  const std::string kind = name.substr(0, 2), rest = name.size() < 2 ? "" : name.substr(2);
  const bool ends = rest.empty() || rest[0] == '.';
  return name[0] == '.' || (kind == "$d" && ends) ||
         (kind == "$x" && (ends || rest.compare(0, 2, "rv") == 0));
}

}  // namespace

ElfSymbols::ElfSymbols(Elf* elf) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    read_table(elf, section);
  }
  close_ends();
}

void ElfSymbols::read_table(Elf* elf, Elf_Scn* section) {
  GElf_Shdr header;
  if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB) return;
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || !ends_with_zero(elf, header.sh_link)) return;
  const int count =
      static_cast<int>(std::min<uint64_t>(data->d_size / sizeof(Elf64_Sym), 1u << 24));
  for (int i = 0; i < count; ++i) {
    GElf_Sym raw;
    if (gelf_getsym(data, i, &raw) == nullptr) break;
    const unsigned type = GELF_ST_TYPE(raw.st_info), binding = GELF_ST_BIND(raw.st_info);
    const bool typed = type == STT_FUNC || type == STT_OBJECT || type == STT_GNU_IFUNC;
    if (!typed && type != STT_NOTYPE) continue;
    GElf_Shdr home;
    if (raw.st_shndx == SHN_UNDEF || raw.st_shndx >= SHN_LORESERVE ||
        gelf_getshdr(elf_getscn(elf, raw.st_shndx), &home) == nullptr) {
      continue;
    }
    const char* name = elf_strptr(elf, header.sh_link, raw.st_name);
    if (name == nullptr || *name == '\0' || (!typed && is_mark(name))) continue;
    // Hand-written assembly often has no .type: a global label counts, and a local one in code.
    const bool label = !typed && binding == STB_LOCAL;
    if (label && (home.sh_flags & SHF_EXECINSTR) == 0) continue;
    if (!symbols_.take()) throw std::length_error(symbols_.excess());
    if (!names_.take(std::strlen(name))) throw std::length_error(names_.excess());

    Entry entry;
    entry.label = label;
    entry.symbol.linker_name = name;
    entry.symbol.address = raw.st_value;
    entry.symbol.size = raw.st_size;
    entry.symbol.name = demangle(name);
    if (!names_.take(entry.symbol.name.size())) throw std::length_error(names_.excess());
    entry.symbol.function =
        type == STT_OBJECT ? false : typed || (home.sh_flags & SHF_EXECINSTR) != 0;
    entry.symbol.local = binding == STB_LOCAL ? 1 : 0;
    entry.rank = (typed ? 4u : 0u) + (binding == STB_GLOBAL ? 2u : binding == STB_WEAK ? 1u : 0u);
    // A symbol without a size reaches to the next symbol, but never out of its section.
    const uint64_t room =
        raw.st_size != 0 ? raw.st_size : home.sh_addr + home.sh_size - raw.st_value;
    const bool wraps = raw.st_value + room < raw.st_value;
    entry.end = raw.st_size == 0 && raw.st_value - home.sh_addr >= home.sh_size ? raw.st_value
                : wraps                                                         ? ~uint64_t{0}
                        : raw.st_value + room;
    entries_.push_back(std::move(entry));
  }
}

void ElfSymbols::close_ends() {
  const auto key = [](const Entry& e) {
    // A name with fewer leading underscores and letters is the one people know.
    return std::make_tuple(e.symbol.address, e.rank,
                           -static_cast<int64_t>(e.symbol.linker_name.size()));
  };
  std::sort(entries_.begin(), entries_.end(), [&](const Entry& a, const Entry& b) {
    const auto ka = key(a), kb = key(b);
    return ka != kb ? ka < kb : a.symbol.linker_name > b.symbol.linker_name;
  });
  drop_inner_labels();
  std::unordered_map<std::string, unsigned> locals;
  for (Entry& entry : entries_) {
    if (entry.symbol.local != 0) entry.symbol.local = ++locals[entry.symbol.linker_name];
  }
  uint64_t next = ~uint64_t{0};  // the lowest address above the current one
  for (size_t i = entries_.size(); i-- > 0;) {
    Entry& entry = entries_[i];
    if (i + 1 < entries_.size() && entries_[i + 1].symbol.address != entry.symbol.address) {
      next = entries_[i + 1].symbol.address;
    }
    if (entry.symbol.size == 0) entry.end = std::min(entry.end, next);
  }
  find_covers();
  for (size_t i = 0; i < entries_.size(); ++i) {
    by_name_[entries_[i].symbol.name] = i;  // of equal names, the one with the highest address wins
  }
  for (size_t i = 0; i < entries_.size(); ++i) by_name_.emplace(entries_[i].symbol.linker_name, i);
}

// A local label inside a symbol with a size, as of a loop in a function, is not a name of its code.
void ElfSymbols::drop_inner_labels() {
  uint64_t covered = 0;  // the first address after all symbols with a size so far
  const auto is_inner = [&covered](const Entry& entry) {
    if (entry.symbol.size != 0) covered = std::max(covered, entry.end);
    return entry.label && entry.symbol.address < covered;
  };
  entries_.erase(std::remove_if(entries_.begin(), entries_.end(), is_inner), entries_.end());
}

// The open entries lie on a stack; the entry that began last is the one that covers. Each entry is
// pushed and popped once, however they nest.
void ElfSymbols::find_covers() {
  std::vector<size_t> open;
  const auto cover_from = [this](uint64_t start, size_t entry) {
    if (!covers_.empty() && covers_.back().start == start) covers_.pop_back();
    covers_.push_back({start, entry});
  };
  const auto close_until = [&](uint64_t address) {
    while (!open.empty() && entries_[open.back()].end <= address) {
      const uint64_t end = entries_[open.back()].end;
      while (!open.empty() && entries_[open.back()].end <= end) open.pop_back();
      cover_from(end, open.empty() ? kNone : open.back());
    }
  };
  for (size_t i = 0; i < entries_.size(); ++i) {
    const uint64_t start = entries_[i].symbol.address;
    close_until(start);
    if (entries_[i].end <= start) continue;
    open.push_back(i);
    cover_from(start, i);
  }
  close_until(~uint64_t{0});
}

const ElfSymbol* ElfSymbols::at(uint64_t address) const {
  const auto after =
      std::upper_bound(covers_.begin(), covers_.end(), address,
                       [](uint64_t value, const Cover& cover) { return value < cover.start; });
  if (after == covers_.begin() || (after - 1)->entry == kNone) return nullptr;
  return &entries_[(after - 1)->entry].symbol;
}

const ElfSymbol* ElfSymbols::named(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &entries_[found->second].symbol;
}

std::vector<std::string> ElfSymbols::function_names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    if (entry.symbol.function) names.push_back(entry.symbol.name);
  }
  return names;
}

}  // namespace strobe::isa
