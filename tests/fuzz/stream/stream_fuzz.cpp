// Any bytes are a stream, a stream that is whole up to somewhere, or get one sentence.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

#include "sw/stream/stream_reader.h"

namespace {

/// What must hold for every input; a fault stops the fuzzer.
void require(bool good) {
  if (!good) std::abort();
}

void read_all(const std::string& bytes) {
  using namespace strobe::stream;
  std::istringstream in(bytes);
  try {
    StreamReader reader(in, "fuzz");
    Block block;
    uint64_t events = 0;
    while (reader.next(block)) events += block.tuples.size();
    require(reader.events() == events);
    require(reader.footer().has_value() == reader.damage().empty());
  } catch (const StreamError& error) {
    require(std::strlen(error.what()) > 0);
  }
}

/// A header that is right, and parts whose checksums are made to fit: the reader looks inside.
std::string with_checksums(const uint8_t* data, size_t size) {
  using namespace strobe::stream;
  const std::string text = "{}";
  const uint32_t fields[2] = {kVersion, static_cast<uint32_t>(text.size())};
  const uint64_t checksum = checksum_of(text);
  std::string bytes(kMagic, sizeof kMagic);
  bytes.append(reinterpret_cast<const char*>(fields), sizeof fields).append(text);
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  while (size >= sizeof(PartHeader)) {
    PartHeader part;
    std::memcpy(&part, data, sizeof part);
    data += sizeof part;
    size -= sizeof part;
    part.packed_bytes = static_cast<uint32_t>(part.packed_bytes % (size + 1));
    part.checksum = checksum_of(part, data);
    bytes.append(reinterpret_cast<const char*>(&part), sizeof part);
    bytes.append(reinterpret_cast<const char*>(data), part.packed_bytes);
    data += part.packed_bytes;
    size -= part.packed_bytes;
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  read_all(std::string(reinterpret_cast<const char*>(data), size));
  read_all(with_checksums(data, size));
  // The columns without what zstd makes of random bytes.
  strobe::stream::Block block;
  if (size > 0) {
    const std::string why = strobe::stream::decode_block(data + 1, size - 1, data[0], block);
    require(!why.empty() || block.tuples.size() == data[0]);
  }
  return 0;
}
