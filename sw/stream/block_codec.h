// The columns of a block of tuples, before compression. docs/event-stream.md has the layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/port/tuple.h"

namespace strobe::stream {

/// The largest number of tuples in a block, because a site's number has 16 bits.
inline constexpr size_t kBlockEvents = 65536;
/// The number of tuples between two time marks. The length of every block but the last is a
/// multiple of it.
inline constexpr size_t kMarkEvents = 1024;

/// A block after decoding.
struct Block {
  uint64_t first_event = 0;      // number of the first tuple in the stream
  std::vector<Tuple> tuples;     // in stream order
  std::vector<uint64_t> cycles;  // when each kMarkEvents tuples (and the last ones) had retired
};

/// Gathers tuples into columns. A site is a (tag, pc) pair. A value is stored as its difference
/// from the site's previous value.
class BlockEncoder {
 public:
  BlockEncoder();

  /// Adds at most kMarkEvents tuples and their time mark to the current block.
  void add(const Tuple* tuples, size_t count, uint64_t cycles);
  size_t events() const { return events_; }
  /// Writes the columns into `raw` and starts the next block.
  void finish(std::vector<uint8_t>& raw);
  /// The sites of the current block, as tuples with value 0.
  const std::vector<Tuple>& sites() const { return sites_; }

 private:
  struct Slot {
    uint64_t pc = 0;
    uint64_t last = 0;
    uint32_t generation = 0;  // number of its block, so that slots need no clearing between blocks
    uint16_t site = 0;
    uint8_t tag = 0;
  };

  Slot& slot_of(const Tuple& tuple);

  std::vector<Slot> slots_;
  uint32_t generation_ = 1;
  size_t events_ = 0;
  std::vector<Tuple> sites_;
  std::vector<uint16_t> indices_;
  std::vector<uint8_t> lengths_;
  std::vector<uint8_t> values_;
  size_t value_bytes_ = 0;
  std::vector<uint64_t> marks_;
};

/// The largest size of a block's columns, in bytes.
size_t largest_raw_block();

/// Reads the columns of `events` tuples into `block`. Returns an empty text, or what is wrong with
/// the columns; then `block` holds nothing of use. Any bytes are safe.
std::string decode_block(const uint8_t* raw, size_t size, size_t events, Block& block);

}  // namespace strobe::stream
