#include "sw/instrument/signals/signal_words.h"

#include <elf.h>

#include "sw/instrument/runtime_object.h"

namespace strobe::instrument {

object::ObjectFile make_signal_words(uint32_t elf_flags, bool methods, bool loops) {
  object::ObjectFile file;
  file.name = "signals.o";
  file.elf_flags = elf_flags;
  file.sections.emplace_back();  // ELF's empty ones
  file.symbols.emplace_back();
  Globals globals(&file);
  const uint32_t data =
      add_section(&file, ".sdata", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, kSignalLine);
  const auto add = [&](const char* name, uint64_t size) {
    std::vector<uint8_t>& bytes = file.sections[data].bytes;
    define(&file, &globals, name, data, bytes.size(), size, STT_OBJECT);
    bytes.resize(bytes.size() + kSignalLine);
  };
  if (methods) add(kMethodSignal, sizeof(uint32_t));
  if (loops) add(kLoopSignal, sizeof(uint32_t));
  return file;
}

}  // namespace strobe::instrument
