// Hostile ELF files: parsing either throws ElfError or gives segments that keep the promises of
// elf_file.h, and every question about the result has an answer.
#include <cstdlib>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"

namespace {

constexpr uint64_t kLimit = 0x80000000;

void require(bool promise) {
  if (!promise) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using strobe::isa::ElfFile;
  using strobe::isa::ElfSegment;
  try {
    const ElfFile elf = ElfFile::parse(std::vector<uint8_t>(data, data + size), "fuzz", kLimit);
    require(!elf.segments().empty());
    require(elf.end() <= kLimit);
    uint64_t end = 0;
    bool entry_is_code = false;
    for (const ElfSegment& segment : elf.segments()) {
      require(segment.address >= end && segment.memory_size > 0);
      require(segment.file_size <= segment.memory_size);
      require(segment.file_offset <= size && segment.file_size <= size - segment.file_offset);
      end = segment.address + segment.memory_size;
      entry_is_code |= (segment.permissions & strobe::isa::GuestMemory::kExecute) != 0 &&
                       elf.entry() >= segment.address && elf.entry() < end;
      require(!elf.describe(segment.address).empty());
      elf.line_at(segment.address);
    }
    require(end == elf.end() && entry_is_code);
    const auto* symbol = elf.symbol_at(elf.entry());
    require(symbol == nullptr || symbol->address <= elf.entry());
    const auto line = elf.line_at(elf.entry());
    require(!line.file.empty() || line.line == 0);
  } catch (const strobe::isa::ElfError& error) {
    require(error.what()[0] != '\0');
  }
  return 0;
}
