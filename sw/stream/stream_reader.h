// Reads an event stream block by block, in constant memory and without trusting the file's
// contents.
#pragma once

#include <cstdint>
#include <istream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sw/stream/block_codec.h"
#include "sw/stream/stream_format.h"

namespace strobe::stream {

class StreamReader {
 public:
  /// Reads the header. Throws StreamError when it is not the header of a stream of this version.
  /// @param name  the stream's name, for messages
  StreamReader(std::istream& in, std::string name);

  const nlohmann::json& header() const { return header_; }
  /// Reads the next block. Returns false after the last whole one: then either footer() has a
  /// value, or damage() says what was found instead.
  bool next(Block& block);
  const std::optional<nlohmann::json>& footer() const { return footer_; }
  /// One sentence with the block and the byte offset; empty while nothing is wrong.
  const std::string& damage() const { return damage_; }
  /// The number of tuples in the blocks read so far.
  uint64_t events() const { return events_; }
  uint64_t blocks() const { return blocks_; }

 private:
  bool read(void* to, size_t size);
  /// Reads the packed bytes of a part and unpacks them. Returns false and sets damage_ if it
  /// cannot.
  bool unpack(const PartHeader& part, size_t most);
  bool fail(const std::string& what);

  std::istream& in_;
  std::string name_;
  nlohmann::json header_;
  std::optional<nlohmann::json> footer_;
  std::string damage_;
  std::vector<uint8_t> packed_, raw_;
  uint64_t offset_ = 0;       // offset of the next byte
  uint64_t part_offset_ = 0;  // offset of the part that is being read
  uint64_t events_ = 0, blocks_ = 0;
};

}  // namespace strobe::stream
