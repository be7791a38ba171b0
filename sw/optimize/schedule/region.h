// A part of a function with one entry, as the scheduler sees it: a block, or a superblock (Hwu et
// al., "The Superblock", Journal of Supercomputing 1993, section 2).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sc_models/isa/decode/decoded.h"
#include "sw/object/analysis/code.h"
#include "sw/object/analysis/registers.h"

namespace strobe::optimize {

using object::kNone;
using object::Registers;

/// An address that a relocation gives: a byte of a section of the object, or of what a symbol of
/// another object means.
struct StaticAddress {
  uint32_t section = kNone;  // kNone: `symbol` is not of this object
  uint32_t symbol = 0;
  int64_t offset = 0;
  uint64_t section_size = 0;  // in bytes; 0 without a section
};

/// A copy of an instruction of the function.
struct Operation {
  isa::DecodedInsn insn;
  uint32_t from = kNone;  // its index in the Code
  uint32_t pair = kNone;  // a far call's jalr, as an index of the Code, which directly follows it
  object::Flow flow = object::Flow::kNext;
  bool inverted = false;  // a branch with the opposite condition of the original's
  bool renamed = false;   // other registers than the original's
  /// The node that a branch or jump inside the function goes to.
  uint32_t target = kNone;
  /// The registers that hold values where a branch goes when it leaves the region.
  Registers live_at_target = 0;
  double leaving = 0;                    // how often a branch leaves the region
  std::optional<StaticAddress> address;  // that it computes or accesses
  uint32_t auipc = kNone;                // the index in the region of a low half's auipc
  uint32_t row = 0;                      // number of the unwind row that holds before it
};

struct Region {
  std::vector<Operation> operations;
  uint32_t head = kNone;  // the node that control enters by
  uint32_t next = kNone;  // the node after the last operation; kNone: control does not get there
  Registers live_at_end = 0;  // the registers that hold values at the end
  double frequency = 0;       // how often it is entered
  double completed = 0;       // how often its end is reached
  uint64_t frame_bytes = 0;   // bytes above sp that are the function's own
};

}  // namespace strobe::optimize
