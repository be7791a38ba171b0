#include "sc_models/isa/elf/elf_file.h"

#include <gelf.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "sc_models/isa/decode/extensions.h"
#include "sc_models/isa/elf/debug_file.h"
#include "sc_models/isa/elf/debug_limits.h"
#include "sc_models/isa/elf/elf_header.h"
#include "sc_models/isa/elf/elf_lines.h"
#include "sc_models/isa/elf/elf_symbols.h"
#include "sc_models/isa/elf/file_bytes.h"
#include "sc_models/isa/elf/riscv_attributes.h"

namespace strobe::isa {
namespace {

[[noreturn]] void too_large(const std::string& file, const std::string& excess) {
  throw ElfError(file + ": too large: " + excess);
}

std::vector<uint8_t> read_file(const std::string& path) {
  std::vector<uint8_t> bytes;
  const std::string problem = read_regular(path, &bytes);
  if (!problem.empty()) {
    refuse(path, "cannot read the program", "a readable ELF file", problem,
           "check the path of the program");
  }
  return bytes;
}

std::string range(uint64_t address, uint64_t size) {
  return "[" + hex(address) + ", " + hex(address + size) + ")";
}

}  // namespace

struct ElfFile::Impl {
  std::string name;            // stands in messages
  std::vector<uint8_t> bytes;  // libelf reads them in place
  Elf* elf = nullptr;
  Elf64_Ehdr header{};
  uint64_t headers_address = 0;
  bool executable_stack = false;
  std::vector<ElfSegment> segments;  // by address
  std::string sha256;
  ElfSymbols symbols;
  DebugFile debug;
  mutable std::optional<ElfLines> lines;  // read when a line is first asked for

  ~Impl() { elf_end(elf); }

  Elf* elf_with_lines() const { return debug.elf() != nullptr ? debug.elf() : elf; }

  void read_segments(uint64_t limit);
  void add_segment(const GElf_Phdr& program_header, uint64_t limit);
};

void ElfFile::Impl::read_segments(uint64_t limit) {
  for (int i = 0; i < header.e_phnum; ++i) {
    GElf_Phdr program_header;
    if (gelf_getphdr(elf, i, &program_header) == nullptr) {
      refuse(name, "damaged program headers", "a readable header " + std::to_string(i),
             elf_errmsg(-1), "copy or build the program again");
    }
    if (program_header.p_type == PT_GNU_STACK) {
      executable_stack = (program_header.p_flags & PF_X) != 0;
    }
    if (program_header.p_type == PT_LOAD) add_segment(program_header, limit);
  }
  segments.erase(std::remove_if(segments.begin(), segments.end(),
                                [](const ElfSegment& s) { return s.memory_size == 0; }),
                 segments.end());
  if (segments.empty()) {
    refuse(name, "nothing to load", "at least one loadable segment", "none");
  }
  std::sort(segments.begin(), segments.end(),
            [](const ElfSegment& a, const ElfSegment& b) { return a.address < b.address; });
  bool executable_entry = false;
  for (size_t i = 0; i < segments.size(); ++i) {
    const ElfSegment& segment = segments[i];
    if (i > 0 && segments[i - 1].address + segments[i - 1].memory_size > segment.address) {
      refuse(name, "segments overlap", "segments apart from each other",
             range(segments[i - 1].address, segments[i - 1].memory_size) + " and " +
                 range(segment.address, segment.memory_size));
    }
    executable_entry |= (segment.permissions & GuestMemory::kExecute) != 0 &&
                        header.e_entry - segment.address < segment.memory_size;
    if (header.e_phoff >= segment.file_offset &&
        header.e_phoff + uint64_t{header.e_phnum} * sizeof(Elf64_Phdr) <=
            segment.file_offset + segment.file_size) {
      headers_address = segment.address + (header.e_phoff - segment.file_offset);
    }
  }
  if (!executable_entry || (header.e_entry & 1) != 0) {
    refuse(name, "bad entry point", "an even address in an executable segment",
           hex(header.e_entry));
  }
}

void ElfFile::Impl::add_segment(const GElf_Phdr& program_header, uint64_t limit) {
  const GElf_Phdr& p = program_header;
  if (p.p_memsz < p.p_filesz) {
    refuse(name, "bad segment at " + hex(p.p_vaddr),
           "a size in memory of at least " + hex(p.p_filesz) + " (its size in the file)",
           hex(p.p_memsz));
  }
  if (p.p_offset > bytes.size() || p.p_filesz > bytes.size() - p.p_offset) {
    refuse(
        name, "truncated",
        hex(p.p_filesz) + " bytes of segment " + hex(p.p_vaddr) + " at offset " + hex(p.p_offset),
        "a file of " + number(bytes.size()) + " bytes", "copy or build the program again");
  }
  if (p.p_vaddr > limit || p.p_memsz > limit - p.p_vaddr) {
    refuse(name, "segment above the end of the modeled address space",
           "addresses below " + hex(limit), hex(p.p_memsz) + " bytes at " + hex(p.p_vaddr),
           "link it to lower addresses");
  }
  ElfSegment segment;
  segment.address = p.p_vaddr;
  segment.memory_size = p.p_memsz;
  segment.file_size = p.p_filesz;
  segment.file_offset = p.p_offset;
  segment.permissions = static_cast<uint8_t>(((p.p_flags & PF_R) ? GuestMemory::kRead : 0) |
                                             ((p.p_flags & PF_W) ? GuestMemory::kWrite : 0) |
                                             ((p.p_flags & PF_X) ? GuestMemory::kExecute : 0));
  segments.push_back(segment);
}

ElfFile::ElfFile() : impl_(std::make_unique<Impl>()) {}
ElfFile::ElfFile(ElfFile&&) noexcept = default;
ElfFile& ElfFile::operator=(ElfFile&&) noexcept = default;
ElfFile::~ElfFile() = default;

ElfFile ElfFile::open(const std::string& path, uint64_t limit, const std::string& debug_root) {
  ElfFile file = parse(read_file(path), path, limit);
  Impl& impl = *file.impl_;
  impl.debug = DebugFile(impl.elf, path, debug_root);
  if (!impl.symbols.empty() || impl.debug.elf() == nullptr) return file;
  try {
    impl.symbols = ElfSymbols(impl.debug.elf());
  } catch (const std::length_error& error) {
    impl.debug.leave(error.what());
  }
  return file;
}

ElfFile ElfFile::parse(std::vector<uint8_t> bytes, const std::string& name, uint64_t limit) {
  ElfFile file;
  Impl& impl = *file.impl_;
  impl.bytes = std::move(bytes);
  impl.name = name;
  impl.header = check_header(impl.bytes, name);
  elf_version(EV_CURRENT);
  impl.elf = elf_memory(reinterpret_cast<char*>(impl.bytes.data()), impl.bytes.size());
  if (impl.elf == nullptr || elf_kind(impl.elf) != ELF_K_ELF) {
    refuse(name, "damaged ELF file", "a file libelf can read", elf_errmsg(-1),
           "copy or build the program again");
  }
  expect_static(impl.header, impl.bytes, name);
  impl.read_segments(limit);
  impl.sha256 = sha256_of(impl.bytes);
  const std::string excess = debug_excess(impl.elf);
  if (!excess.empty()) too_large(name, excess);
  try {
    impl.symbols = ElfSymbols(impl.elf);
  } catch (const std::length_error& error) {
    too_large(name, error.what());
  }
  return file;
}

uint64_t ElfFile::entry() const { return impl_->header.e_entry; }
uint64_t ElfFile::program_headers_address() const { return impl_->headers_address; }
uint16_t ElfFile::program_header_count() const { return impl_->header.e_phnum; }
uint16_t ElfFile::program_header_size() const { return impl_->header.e_phentsize; }
const std::vector<ElfSegment>& ElfFile::segments() const { return impl_->segments; }
const std::string& ElfFile::sha256() const { return impl_->sha256; }
std::string ElfFile::build_id() const { return build_id_of(impl_->elf); }
std::string ElfFile::isa_fault() const {
  constexpr size_t kMost = 8;  // names in a sentence
  const std::vector<std::string> foreign = foreign_extensions(isa_attribute(impl_->elf));
  if (foreign.empty()) return "";
  std::string names;
  for (size_t i = 0; i < std::min(foreign.size(), kMost); ++i) {
    names += (i == 0 ? "" : ", ") + foreign[i];
  }
  if (foreign.size() > kMost) names += " and others";
  return impl_->name + ": it is built for " + names + ", but the core executes " + kExecutedIsa +
         ": the run ends at the first instruction of such an extension; compile the program and "
         "its "
         "libraries with -march=" +
         kExecutedIsa;
}
bool ElfFile::executable_stack() const { return impl_->executable_stack; }

uint64_t ElfFile::end() const {
  return impl_->segments.back().address + impl_->segments.back().memory_size;
}

void ElfFile::load(GuestMemory& memory, bool firmware) const {
  for (const ElfSegment& segment : impl_->segments) {
    memory.protect(segment.address, segment.memory_size, 0, 0);  // zeroes the old contents
  }
  constexpr uint64_t kNoPage = ~uint64_t{0};
  uint64_t shared_page = kNoPage;  // the last page of the previous segment
  uint8_t shared = 0;              // the permissions of the segments on that page
  for (const ElfSegment& segment : impl_->segments) {
    memory.write(segment.address, impl_->bytes.data() + segment.file_offset, segment.file_size);
    const auto protect = [&](uint64_t address, uint64_t size, uint8_t permissions) {
      const uint8_t machine =
          firmware ? permissions : static_cast<uint8_t>(GuestMemory::kRead | GuestMemory::kWrite);
      memory.protect(address, size, firmware ? 0 : permissions, machine);
    };
    const uint64_t last = segment.address + segment.memory_size - 1;
    protect(segment.address, segment.memory_size, segment.permissions);
    const uint64_t first_page = segment.address >> GuestMemory::kPageBits;
    const uint64_t last_page = last >> GuestMemory::kPageBits;
    // A page that two segments share gets the permissions of both.
    const bool joins = first_page == shared_page;
    const auto joined = static_cast<uint8_t>(segment.permissions | shared);
    if (joins) protect(segment.address, 1, joined);
    shared = joins && first_page == last_page ? joined : segment.permissions;
    shared_page = last_page;
  }
}

const ElfSymbol* ElfFile::symbol_at(uint64_t address) const { return impl_->symbols.at(address); }
const ElfSymbol* ElfFile::symbol(const std::string& name) const {
  return impl_->symbols.named(name);
}

std::vector<std::string> ElfFile::function_names() const { return impl_->symbols.function_names(); }

std::string ElfFile::describe(uint64_t address) const {
  const ElfSymbol* symbol = symbol_at(address);
  if (symbol == nullptr) return hex(address);
  return symbol->name + "+" + hex(address - symbol->address);
}

std::string ElfFile::bolt_place(uint64_t address) const {
  const ElfSymbol* symbol = symbol_at(address);
  if (symbol == nullptr || !symbol->function || symbol->size == 0) return "";
  const std::string& name = symbol->linker_name;
  if (name.find_first_of(" \t\n\v\f\r") != std::string::npos) return "";
  return name + (symbol->local == 0 ? "" : '/' + number(symbol->local)) + ' ' +
         hex(address - symbol->address).substr(2);
}

SourceLine ElfFile::line_at(uint64_t address) const {
  if (!impl_->lines) impl_->lines.emplace(impl_->elf_with_lines());
  return impl_->lines->at(address);
}

const std::string& ElfFile::debug_path() const { return impl_->debug.path(); }

std::string ElfFile::debug_sha256() const {
  return debug_path().empty() ? "" : sha256_of(impl_->debug.bytes());
}

std::string ElfFile::debug_fault() const {
  if (!impl_->debug.fault().empty()) return impl_->debug.fault();
  const std::string why = unreadable_debug(impl_->elf_with_lines());
  if (why.empty()) return "";
  return (debug_path().empty() ? impl_->name : debug_path()) + ": " + why +
         ": expected debug information that is compressed with zlib or not at all; link the "
         "program with -gz=none";
}

}  // namespace strobe::isa
