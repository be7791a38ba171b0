// The parts of a stream file other than the contents of its blocks. docs/event-stream.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace strobe::stream {

inline constexpr char kMagic[8] = {'S', 'T', 'R', 'O', 'B', 'E', 'E', 'V'};
inline constexpr uint32_t kVersion = 1;
inline constexpr uint32_t kBlockMark = 0x4b4c4253;   // "SBLK"
inline constexpr uint32_t kFooterMark = 0x444e4553;  // "SEND"
/// Precedes the compressed bytes of each block and of the footer. Little-endian, in the layout of
/// this structure in memory.
struct PartHeader {
  uint32_t mark = 0;    // kBlockMark or kFooterMark
  uint32_t events = 0;  // the block's tuples; 0 in the footer
  uint32_t raw_bytes = 0;
  uint32_t packed_bytes = 0;
  uint64_t first_event = 0;  // the first tuple's number; in the footer, the number of tuples
  uint64_t checksum = 0;     // XXH64 of the preceding fields and the packed bytes
};
static_assert(sizeof(PartHeader) == 32);

/// The message is one sentence: which stream, where in it, what was expected.
class StreamError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

uint64_t checksum_of(const PartHeader& part, const uint8_t* packed);
uint64_t checksum_of(const std::string& text);

}  // namespace strobe::stream
