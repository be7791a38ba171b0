// The object that instrumentation links in first: its sections and symbols.
#pragma once

#include <cstdint>
#include <string>

#include "sw/instrument/snippets.h"
#include "sw/object/file/object_file.h"

namespace strobe::instrument {

/// An empty section at the end of the object. @return its index
uint32_t add_section(object::ObjectFile* file, const std::string& name, uint32_t type,
                     uint64_t flags, uint64_t alignment);

/// Defines a global symbol. @param value  its offset in the section @param type  STT_*
void define(object::ObjectFile* file, Globals* globals, const std::string& name, uint32_t section,
            uint64_t value, uint64_t size, uint8_t type);

}  // namespace strobe::instrument
