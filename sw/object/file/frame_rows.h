// What an unwinder knows at each place of a function, so that the description of its frame can be
// written anew when its code has been put into another order.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sw/object/file/frames.h"
#include "sw/object/file/object_file.h"

namespace strobe::object {

/// A row of the table that a frame description stands for (DWARF 5, section 6.4).
struct FrameRow {
  /// The operation that defines the canonical frame address.
  std::vector<uint8_t> frame_address;
  /// By register: the operation that says where the caller's value is. A register without one is as
  /// the common entry says.
  std::map<uint64_t, std::vector<uint8_t>> rules;

  bool operator==(const FrameRow& other) const {
    return frame_address == other.frame_address && rules == other.rules;
  }
  bool operator!=(const FrameRow& other) const { return !(*this == other); }
};

/// A row that holds from the code at `offset` on, up to the next one.
struct PlacedRow {
  uint64_t offset = 0;
  FrameRow row;
};

struct FrameRows {
  FrameRow initial;             // what the common entry says
  std::vector<PlacedRow> rows;  // by offset, the first one at the frame's first instruction
};

/// The rows of a frame. Nothing when the description has an operation that gcc does not write.
/// Throws ObjectError as read_frames().
std::optional<FrameRows> rows_of(const ObjectFile& file, const Frame& frame);

/// A frame with other rows. Each row holds from its symbol on; the symbols are in the order of the
/// new code.
struct NewFrame {
  Frame frame;
  FrameRow initial;    // of FrameRows
  uint32_t start = 0;  // a symbol at the frame's first instruction
  std::vector<std::pair<uint32_t, FrameRow>> rows;
};

/// Writes the descriptions anew. The frames are of read_frames() of this file, each at most once.
void rewrite_frames(ObjectFile* file, const std::vector<NewFrame>& frames);

}  // namespace strobe::object
