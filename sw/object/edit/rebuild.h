// Lays the instructions of functions out in another order, with copies of some and without others.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sw/object/analysis/code.h"
#include "sw/object/file/frame_rows.h"
#include "sw/object/file/object_file.h"

namespace strobe::object {

/// An instruction of a new body.
struct NewInstruction {
  uint32_t from = kNone;  // index in the Code of the one that it copies; kNone: a jump to `target`
  uint32_t word = 0;      // its two or four bytes where they are not the original's; else 0
  uint32_t target =
      kNone;  // the label that it branches or jumps to; kNone: where the original goes
  /// Of a low half of an address (%pcrel_lo): the index in the body of its auipc. Else kNone.
  uint32_t auipc = kNone;
};

/// What a function becomes. Labels are numbers.
struct NewBody {
  Function function;
  std::vector<NewInstruction> instructions;  // the function's entry is the first one
  std::vector<uint32_t> labels;  // where each label stands: an index in `instructions`, or its size
  /// By the offset of an old instruction that others may refer to: the label that takes its place.
  /// A reference to what lies between two of them goes to the earlier one.
  std::map<uint32_t, uint32_t> references;
  /// The rows of its frame description, if it has one: each holds from the instruction of its index
  /// on.
  bool has_frame = false;
  FrameRow initial_row;
  std::vector<std::pair<uint32_t, FrameRow>> rows;
};

/// Puts the bodies in the place of their functions, which are of this section of code. All that
/// refers to the old code refers to the new: branches, jump tables, exception tables and the
/// descriptions of frames. The line table knows only where such a function begins. Throws
/// ObjectError as Editor::apply().
void rebuild(ObjectFile* file, const Code& code, const std::vector<NewBody>& bodies);

}  // namespace strobe::object
