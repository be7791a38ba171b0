#include "sc_models/isa/elf/debug_file.h"

#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <zlib.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "sc_models/isa/elf/debug_limits.h"
#include "sc_models/isa/elf/file_bytes.h"

namespace strobe::isa {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kZstd = 2;  // ELFCOMPRESS_ZSTD, which libelf 0.188 does not know
/// Bytes of debug information for each compressed byte, at most; three to five are usual. A file of
/// zeros has a thousand, and would fill the memory.
constexpr uint64_t kMostGrowth = 32, kSmall = 1 << 20;

std::string hex(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", value);
  return text;
}

std::string section_name(Elf* elf, const GElf_Shdr& header) {
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return "";
  const char* name = elf_strptr(elf, names, header.sh_name);
  return name == nullptr ? "" : name;
}

/// Calls `visit` for each section with its header and name.
template <class Visit>
void for_each_section(Elf* elf, Visit visit) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != nullptr) {
      visit(section, header, section_name(elf, header));
    }
  }
}

bool has_lines(Elf* elf) {
  bool found = false;
  for_each_section(elf, [&](Elf_Scn*, const GElf_Shdr& header, const std::string& name) {
    found |= header.sh_type != SHT_NOBITS && (name == ".debug_line" || name == ".zdebug_line");
  });
  return found;
}

/// Whether the bytes begin as those of a 64-bit, little-endian RISC-V file.
bool is_for_riscv(const std::vector<uint8_t>& bytes) {
  Elf64_Ehdr header;
  if (bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
         header.e_machine == EM_RISCV;
}

uint32_t crc_of(const std::vector<uint8_t>& bytes) {
  return static_cast<uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

struct Compression {
  unsigned type = 0;  // ELFCOMPRESS_...; 0: none
  uint64_t size = 0;  // bytes that it unpacks to
};

/// As the header of the section says or, before there was one, "ZLIB" and eight bytes.
Compression compression_of(Elf_Scn* section, const GElf_Shdr& header) {
  GElf_Chdr packed;
  if ((header.sh_flags & SHF_COMPRESSED) != 0) {
    if (gelf_getchdr(section, &packed) == nullptr) return {};
    return {packed.ch_type, packed.ch_size};
  }
  constexpr size_t kMagic = 4, kHead = 12;
  const Elf_Data* data = elf_rawdata(section, nullptr);
  if (data == nullptr || data->d_size < kHead || std::memcmp(data->d_buf, "ZLIB", kMagic) != 0) {
    return {};
  }
  Compression old{ELFCOMPRESS_ZLIB, 0};
  const auto* bytes = static_cast<const uint8_t*>(data->d_buf);
  for (size_t i = kMagic; i < kHead; ++i) old.size = old.size << 8 | bytes[i];
  return old;
}

}  // namespace

std::string build_id_of(Elf* elf) {
  const void* id = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf, &id);
  std::string text;
  for (ssize_t i = 0; i < size; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<const uint8_t*>(id)[i]);
    text += digits;
  }
  return text;
}

std::string unreadable_debug(Elf* elf) {
  std::string why;
  for_each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header, const std::string& name) {
    if (!why.empty() || (name.rfind(".debug_", 0) != 0 && name.rfind(".zdebug_", 0) != 0)) return;
    const Compression packed = compression_of(section, header);
    if (packed.type == kZstd) {
      why = name + " is compressed with zstd";
    } else if (packed.type != 0 && packed.type != ELFCOMPRESS_ZLIB) {
      why = name + " is compressed in the unknown way " + std::to_string(packed.type);
    } else if (packed.size > kSmall && packed.size / kMostGrowth > header.sh_size) {
      why = name + " has " + std::to_string(header.sh_size) + " bytes that unpack to " +
            std::to_string(packed.size);
    }
  });
  return why;
}

DebugFile::DebugFile(Elf* program, const std::string& path, const std::string& root) {
  GElf_Word crc = 0;
  const char* link = dwelf_elf_gnu_debuglink(program, &crc);
  if (has_lines(program)) return;
  if (!find_by_id(build_id_of(program), root) && link != nullptr) {
    find_by_link(link, crc, path, root);
  }
  if (elf_ == nullptr) return;
  const std::string excess = debug_excess(elf_);
  if (!excess.empty()) leave(excess);
}

DebugFile::~DebugFile() { close(); }

DebugFile::DebugFile(DebugFile&& other) noexcept { *this = std::move(other); }

DebugFile& DebugFile::operator=(DebugFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(elf_, other.elf_);
  std::swap(path_, other.path_);
  std::swap(fault_, other.fault_);
  return *this;
}

void DebugFile::leave(const std::string& excess) {
  fault_ = path_ + ": too large: " + excess;
  close();
}

void DebugFile::close() {
  elf_end(elf_);
  elf_ = nullptr;
  bytes_.clear();
  path_.clear();
}

bool DebugFile::open(const std::string& path) {
  close();
  fault_ = read_regular(path, &bytes_);
  if (!fault_.empty()) fault_ = fs::is_regular_file(path) ? path + ": " + fault_ : "";
  if (!is_for_riscv(bytes_)) return false;
  elf_ = elf_memory(reinterpret_cast<char*>(bytes_.data()), bytes_.size());
  path_ = path;
  return elf_ != nullptr;
}

bool DebugFile::find_by_id(const std::string& id, const std::string& root) {
  constexpr size_t kShortest = 4;  // the folder's name and one byte of the file's
  if (id.size() < kShortest) return false;
  const std::string path = root + "/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug";
  if (open(path) && build_id_of(elf_) == id) return true;
  if (!fault_.empty()) fault_ = "the symbols and lines of the program cannot be read: " + fault_;
  close();
  return false;
}

void DebugFile::find_by_link(const std::string& name, uint32_t crc, const std::string& program,
                             const std::string& root) {
  const std::string expected = "expected " + name + " with CRC " + hex(crc) + " (.gnu_debuglink)";
  const fs::path folder = fs::absolute(program).parent_path();
  const fs::path places[] = {folder, folder / ".debug", fs::path(root) / folder.relative_path()};
  std::string other, looked_in;
  for (const fs::path& place : places) {
    const std::string path = (place / name).string();
    looked_in += (looked_in.empty() ? "" : ", ") + place.string();
    // A name is no path: a link must not lead anywhere else.
    const bool opened = name.find('/') == std::string::npos && open(path);
    if (opened && crc_of(bytes_) == crc) return;
    if (opened) other = path + " with CRC " + hex(crc_of(bytes_));
    if (!opened && !fault_.empty()) other = fault_;
  }
  close();
  fault_ = program + ": its symbols and lines are in another file: " + expected + " in " +
           looked_in + ", got " + (other.empty() ? "none" : other) +
           "; copy the file that was split off this program beside it";
}

}  // namespace strobe::isa
