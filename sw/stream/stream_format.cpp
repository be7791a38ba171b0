#include "sw/stream/stream_format.h"

#include <xxhash.h>

namespace strobe::stream {

uint64_t checksum_of(const PartHeader& part, const uint8_t* packed) {
  const uint64_t head = XXH64(&part, offsetof(PartHeader, checksum), 0);
  return XXH64(packed, part.packed_bytes, head);
}

uint64_t checksum_of(const std::string& text) { return XXH64(text.data(), text.size(), 0); }

}  // namespace strobe::stream
