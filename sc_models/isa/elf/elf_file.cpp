#include "sc_models/isa/elf/elf_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "sc_models/isa/elf/elf_lines.h"
#include "sc_models/isa/elf/elf_symbols.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kLargestFile = uint64_t{1} << 30;
constexpr unsigned kMostProgramHeaders = 128;
constexpr const char* kBuild = "build it with riscv64-linux-gnu-gcc -static";

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string number(uint64_t value) { return std::to_string(value); }

/// Throws ElfError with the one sentence that every bad file gets.
[[noreturn]] void refuse(const std::string& file, const std::string& what,
                         const std::string& expected, const std::string& got,
                         const std::string& advice = kBuild) {
  throw ElfError(file + ": " + what + ": expected " + expected + ", got " + got + "; " + advice);
}

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_386:
      return "80386";
    case EM_ARM:
      return "ARM";
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "AArch64";
    default:
      return "machine " + number(machine);
  }
}

std::string type_name(unsigned type) {
  switch (type) {
    case ET_NONE:
      return "no type (ET_NONE)";
    case ET_REL:
      return "an object file (ET_REL)";
    case ET_CORE:
      return "a core dump (ET_CORE)";
    default:
      return "type " + number(type);
  }
}

std::vector<uint8_t> read_file(const std::string& path) {
  const std::string advice = "check the path of the program";
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) {
    refuse(path, "cannot open the program", "a readable ELF file", std::strerror(errno), advice);
  }
  struct stat status {};
  std::vector<uint8_t> bytes;
  std::string problem;
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    problem = S_ISDIR(status.st_mode) ? "a directory" : "a device, pipe or socket";
  } else if (static_cast<uint64_t>(status.st_size) > kLargestFile) {
    problem = number(static_cast<uint64_t>(status.st_size)) + " bytes (the limit is 1 GiB)";
  } else {
    bytes.resize(static_cast<size_t>(status.st_size));
    size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t n = ::read(fd, bytes.data() + done, bytes.size() - done);
      if (n < 0) problem = std::strerror(errno);
      if (n <= 0) break;
      done += static_cast<size_t>(n);
    }
    bytes.resize(done);
  }
  ::close(fd);
  if (!problem.empty()) {
    refuse(path, "cannot read the program", "a readable ELF file", problem, advice);
  }
  return bytes;
}

std::string digest(const std::vector<uint8_t>& bytes) {
  unsigned char raw[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), raw, &size, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error(
        "libcrypto has no SHA-256; expected OpenSSL 3 with its default provider");
  }
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    text += "0123456789abcdef"[raw[i] >> 4];
    text += "0123456789abcdef"[raw[i] & 15];
  }
  return text;
}

/// Reads the ELF header and checks it before libelf sees the rest. Throws ElfError.
Elf64_Ehdr check_header(const std::vector<uint8_t>& bytes, const std::string& name) {
  if (bytes.empty()) refuse(name, "the file is empty", "an ELF file", "0 bytes");
  if (bytes.size() < SELFMAG || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) {
    refuse(name, "not an ELF file", "the magic bytes 7f 45 4c 46", "other bytes");
  }
  if (bytes.size() <= EI_VERSION) {
    refuse(name, "truncated", "an ELF header of 64 bytes", number(bytes.size()) + " bytes");
  }
  if (bytes[EI_CLASS] != ELFCLASS64) {
    refuse(name, "not a 64-bit program", "ELF class 2 (64-bit)",
           "class " + number(bytes[EI_CLASS]) + (bytes[EI_CLASS] == ELFCLASS32 ? " (32-bit)" : ""));
  }
  if (bytes[EI_DATA] != ELFDATA2LSB) {
    refuse(name, "not a little-endian program", "ELF data encoding 1 (little-endian)",
           "encoding " + number(bytes[EI_DATA]) +
               (bytes[EI_DATA] == ELFDATA2MSB ? " (big-endian)" : ""));
  }
  if (bytes.size() < sizeof(Elf64_Ehdr)) {
    refuse(name, "truncated", "an ELF header of 64 bytes", number(bytes.size()) + " bytes");
  }
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (bytes[EI_VERSION] != EV_CURRENT || header.e_version != EV_CURRENT) {
    refuse(name, "unknown ELF version", "version 1",
           "version " +
               number(bytes[EI_VERSION] != EV_CURRENT ? bytes[EI_VERSION] : header.e_version));
  }
  if (header.e_machine != EM_RISCV) {
    refuse(name, "built for another machine", "RISC-V (machine 243)",
           machine_name(header.e_machine));
  }
  if (header.e_type == ET_DYN) {
    refuse(name, "position-independent or shared", "a program linked to fixed addresses (ET_EXEC)",
           "ET_DYN", "build it with riscv64-linux-gnu-gcc -static -no-pie");
  }
  if (header.e_type != ET_EXEC) {
    refuse(name, "not an executable", "a linked program (ET_EXEC)", type_name(header.e_type));
  }
  if (header.e_phnum == 0) {
    refuse(name, "no program headers", "at least one loadable segment", "none");
  }
  if (header.e_phnum > kMostProgramHeaders) {
    refuse(name, "too many program headers", "at most " + number(kMostProgramHeaders),
           number(header.e_phnum));
  }
  if (header.e_phentsize != sizeof(Elf64_Phdr)) {
    refuse(name, "bad program headers", "entries of 56 bytes", number(header.e_phentsize));
  }
  const uint64_t table = uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
  if (header.e_phoff > bytes.size() || table > bytes.size() - header.e_phoff) {
    refuse(name, "truncated",
           "program headers of " + number(table) + " bytes at offset " + hex(header.e_phoff),
           "a file of " + number(bytes.size()) + " bytes", "copy or build the program again");
  }
  return header;
}

std::string range(uint64_t address, uint64_t size) {
  return "[" + hex(address) + ", " + hex(address + size) + ")";
}

}  // namespace

struct ElfFile::Impl {
  std::vector<uint8_t> bytes;  // libelf reads them in place
  Elf* elf = nullptr;
  Elf64_Ehdr header{};
  uint64_t headers_address = 0;
  bool executable_stack = false;
  std::vector<ElfSegment> segments;  // by address
  std::string sha256;
  ElfSymbols symbols;
  mutable std::optional<ElfLines> lines;  // read when a line is first asked for

  ~Impl() { elf_end(elf); }

  void read_segments(const std::string& name, uint64_t limit);
  void add_segment(const GElf_Phdr& program_header, const std::string& name, uint64_t limit);
};

void ElfFile::Impl::read_segments(const std::string& name, uint64_t limit) {
  for (int i = 0; i < header.e_phnum; ++i) {
    GElf_Phdr program_header;
    if (gelf_getphdr(elf, i, &program_header) == nullptr) {
      refuse(name, "damaged program headers", "a readable header " + std::to_string(i),
             elf_errmsg(-1), "copy or build the program again");
    }
    if (program_header.p_type == PT_INTERP) {
      refuse(name, "dynamically linked", "a static program", "one that asks for an interpreter");
    }
    if (program_header.p_type == PT_GNU_STACK) {
      executable_stack = (program_header.p_flags & PF_X) != 0;
    }
    if (program_header.p_type == PT_LOAD) add_segment(program_header, name, limit);
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

void ElfFile::Impl::add_segment(const GElf_Phdr& program_header, const std::string& name,
                                uint64_t limit) {
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

ElfFile ElfFile::open(const std::string& path, uint64_t limit) {
  return parse(read_file(path), path, limit);
}

ElfFile ElfFile::parse(std::vector<uint8_t> bytes, const std::string& name, uint64_t limit) {
  ElfFile file;
  Impl& impl = *file.impl_;
  impl.bytes = std::move(bytes);
  impl.header = check_header(impl.bytes, name);
  elf_version(EV_CURRENT);
  impl.elf = elf_memory(reinterpret_cast<char*>(impl.bytes.data()), impl.bytes.size());
  if (impl.elf == nullptr || elf_kind(impl.elf) != ELF_K_ELF) {
    refuse(name, "damaged ELF file", "a file libelf can read", elf_errmsg(-1),
           "copy or build the program again");
  }
  impl.read_segments(name, limit);
  impl.sha256 = digest(impl.bytes);
  impl.symbols = ElfSymbols(impl.elf);
  return file;
}

uint64_t ElfFile::entry() const { return impl_->header.e_entry; }
uint64_t ElfFile::program_headers_address() const { return impl_->headers_address; }
uint16_t ElfFile::program_header_count() const { return impl_->header.e_phnum; }
uint16_t ElfFile::program_header_size() const { return impl_->header.e_phentsize; }
const std::vector<ElfSegment>& ElfFile::segments() const { return impl_->segments; }
const std::string& ElfFile::sha256() const { return impl_->sha256; }
std::string ElfFile::build_id() const {
  const void* id = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(impl_->elf, &id);
  std::string text;
  for (ssize_t i = 0; i < size; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<const uint8_t*>(id)[i]);
    text += digits;
  }
  return text;
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
  if (!impl_->lines) impl_->lines.emplace(impl_->elf);
  return impl_->lines->at(address);
}

}  // namespace strobe::isa
