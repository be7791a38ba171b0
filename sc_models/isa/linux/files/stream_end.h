// The end of a pipe or of a stream of sockets into which a program writes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sc_models/isa/linux/files/file_table.h"

namespace strobe::isa {

/// Nothing reads the other end any more.
bool is_broken(const OpenFile& file);
/// The number of bytes that it takes at present.
size_t room_of(const OpenFile& file);
/// Puts bytes into an end that is not broken; there must be room for them. `now` is the number of
/// the change. Returns false when the program's memory is exhausted.
bool push(OpenFile& file, const uint8_t* data, size_t size, uint64_t now);

}  // namespace strobe::isa
