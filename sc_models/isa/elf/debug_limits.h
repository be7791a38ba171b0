// Whether the debug information of a file is within the limits of sw/text/limits.h. libdw has no
// limits of its own: it keeps a table for each unit, which few bytes can make very large.
#pragma once

#include <libelf.h>

#include <cstddef>
#include <string>

namespace strobe::isa {

/// Decompresses the sections of debug information, and counts what libdw would keep of them.
/// @return which limit is exceeded, and where; "" for none
std::string debug_excess(Elf* elf);

/// Whether a section of texts ends with a zero. In one that does not, libelf looks for the last
/// zero each time it is asked for a text.
bool ends_with_zero(Elf* elf, size_t section);

}  // namespace strobe::isa
