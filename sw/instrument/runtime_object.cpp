#include "sw/instrument/runtime_object.h"

namespace strobe::instrument {

uint32_t add_section(object::ObjectFile* file, const std::string& name, uint32_t type,
                     uint64_t flags, uint64_t alignment) {
  object::Section section;
  section.name = name;
  section.type = type;
  section.flags = flags;
  section.alignment = alignment;
  file->sections.push_back(section);
  return static_cast<uint32_t>(file->sections.size() - 1);
}

void define(object::ObjectFile* file, Globals* globals, const std::string& name, uint32_t section,
            uint64_t value, uint64_t size, uint8_t type) {
  object::Symbol& symbol = file->symbols[(*globals)[name]];
  symbol.section = section;
  symbol.value = value;
  symbol.size = size;
  symbol.type = type;
}

}  // namespace strobe::instrument
