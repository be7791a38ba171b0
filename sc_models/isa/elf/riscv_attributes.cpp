#include "sc_models/isa/elf/riscv_attributes.h"

#include <gelf.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace strobe::isa {
namespace {

constexpr uint64_t kSectionType = 0x70000003;  // SHT_RISCV_ATTRIBUTES
constexpr uint64_t kTagFile = 1, kTagArch = 5;

uint64_t take_number(std::string_view* rest) {  // ULEB128
  uint64_t value = 0;
  for (unsigned shift = 0; !rest->empty() && shift < 64; shift += 7) {
    const auto byte = static_cast<uint8_t>(rest->front());
    rest->remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  *rest = {};
  return 0;
}

std::string_view take_text(std::string_view* rest) {
  const size_t end = std::min(rest->find('\0'), rest->size());
  const std::string_view text = rest->substr(0, end);
  rest->remove_prefix(std::min(end + 1, rest->size()));
  return text;
}

/// A length of four bytes that counts `head` bytes before what it counts, its own included, and
/// what it counts.
std::string_view take_part(std::string_view* rest, size_t head) {
  uint64_t length = 0;
  for (size_t i = 4; i > 0 && rest->size() >= 4; --i) {
    length = length << 8 | static_cast<uint8_t>((*rest)[i - 1]);
  }
  if (length < head || length - head > rest->size() - 4) {
    *rest = {};
    return {};
  }
  const std::string_view part = rest->substr(4, length - head);
  rest->remove_prefix(4 + part.size());
  return part;
}

std::string_view arch_of_file(std::string_view attributes) {
  while (!attributes.empty()) {
    const uint64_t tag = take_number(&attributes);
    if (tag == kTagArch) return take_text(&attributes);
    if (tag % 2 == 0) {
      take_number(&attributes);
    } else {
      take_text(&attributes);
    }
  }
  return {};
}

std::string_view arch_of(std::string_view section) {
  if (section.empty() || section.front() != 'A') return {};
  section.remove_prefix(1);
  while (!section.empty()) {
    std::string_view vendor = take_part(&section, 4);
    if (take_text(&vendor) != "riscv") continue;
    while (!vendor.empty()) {
      const uint64_t tag = take_number(&vendor);
      const std::string_view attributes = take_part(&vendor, 5);  // the tag is one byte
      if (tag == kTagFile) return arch_of_file(attributes);
    }
  }
  return {};
}

}  // namespace

std::string isa_attribute(Elf* elf) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != kSectionType) continue;
    const Elf_Data* data = elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) continue;
    return std::string(arch_of({static_cast<const char*>(data->d_buf), data->d_size}));
  }
  return "";
}

}  // namespace strobe::isa
