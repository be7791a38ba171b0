// The columns of a block of tuples, before compression. docs/event-stream.md has the layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/port/tuple.h"

namespace strobe::stream {

/// Tuples of a block, at most: a site's number is 16 bits.
inline constexpr size_t kBlockEvents = 65536;
/// Tuples between two time marks; every block but the last is a whole number of them.
inline constexpr size_t kMarkEvents = 1024;

/// A block as its reader gets it.
struct Block {
  uint64_t first_event = 0;      // of the stream
  std::vector<Tuple> tuples;     // in stream order
  std::vector<uint64_t> cycles;  // when each kMarkEvents tuples (and the last ones) had retired
};

/// Gathers tuples into columns. A site is a (tag, pc) pair; a value is kept as its difference to
/// the site's last one.
class BlockEncoder {
 public:
  BlockEncoder();

  /// At most kMarkEvents tuples that go into the present block, and their time mark.
  void add(const Tuple* tuples, size_t count, uint64_t cycles);
  size_t events() const { return events_; }
  /// Writes the columns into `raw` and starts the next block.
  void finish(std::vector<uint8_t>& raw);
  /// The sites of the present block: tuples with value 0.
  const std::vector<Tuple>& sites() const { return sites_; }

 private:
  struct Slot {
    uint64_t pc = 0;
    uint64_t last = 0;
    uint32_t generation = 0;  // of the block it belongs to: no clearing between blocks
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

/// Largest size of the columns of a block.
size_t largest_raw_block();

/// Reads the columns of `events` tuples. @return empty, or what is wrong with them: then `block`
/// holds nothing of use. Any bytes are safe.
std::string decode_block(const uint8_t* raw, size_t size, size_t events, Block& block);

}  // namespace strobe::stream
