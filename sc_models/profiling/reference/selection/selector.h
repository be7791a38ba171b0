// The selector, cycle by cycle: one tuple for each retired instruction that a slot selects.
// docs/blocks/selector.md
#pragma once

#include <cstdint>

#include "sc_models/port/path_interface.h"
#include "sc_models/port/region_marker.h"
#include "sc_models/port/retire.h"
#include "sc_models/port/tuple.h"

namespace strobe::profiling {

/// The largest number of slots.
inline constexpr unsigned kMaxSelectors = 8;

/// One slot. It selects an instruction that meets all of its conditions.
struct SelectorSlot {
  bool enable = false;
  uint8_t kind = 0;  // the tuple's value: 0 and 3 rd_wdata, 1 pc_wdata, 2 mem_addr
  bool user = false, supervisor = false, machine = false;
  bool marked = false;     // only the instruction directly after marker number `tag`
  bool in_burst = false;   // only in a burst of the decode engine
  uint8_t tag = 0;         // the tuples' tag, 4 bits
  uint8_t prediction = 0;  // 1 mispredicted, 2 correctly predicted, 0 and 3 either
  uint16_t opclass = 0;    // bit k selects OpClass k
  int32_t thread = -1;     // the one that is selected, by software; -1: all
  uint64_t pc_lo = 0, pc_hi = ~uint64_t{0};  // both included
};

/// The opcode class of an instruction word in its 32-bit form.
OpClass op_class(uint32_t insn);

/// The number of the marker `sltiu x0, x0, N`, 0 <= N <= 15; -1 for any other instruction.
inline int marker_number(uint32_t insn) {
  return is_selector_marker(insn) ? static_cast<int>(insn >> 20) : -1;
}

/// Tracks, for each privilege mode, the marker directly before the next instruction; -1 for none.
class MarkerTrack {
 public:
  int before(unsigned mode) const { return mark_[mode & 3]; }
  /// An instruction retires. No slot selects mode 2, so its markers have no effect.
  void retire(unsigned mode, uint32_t insn) { mark_[mode & 3] = marker_number(insn); }

 private:
  int mark_[4] = {-1, -1, -1, -1};
};

/// The selection rule, for the block and for software selectors: the lowest-numbered slot that
/// selects an instruction of this class, with this marker before it, and with these mode (0 user, 1
/// supervisor, 3 machine), prediction, burst bit, thread and pc; nullptr if there is none. Fields
/// is RetireLane, RetireRecord or a type with the same fields.
template <class Fields>
const SelectorSlot* matching_slot(const SelectorSlot* slots, unsigned count, OpClass opclass,
                                  int marker, const Fields& fields) {
  const auto mode = static_cast<unsigned>(fields.mode);
  const auto mispredicted = static_cast<bool>(fields.mispredicted);
  const uint64_t pc = fields.pc_rdata;
  for (const SelectorSlot* slot = slots; slot != slots + count; ++slot) {
    if (slot->enable && ((slot->opclass >> static_cast<unsigned>(opclass)) & 1) != 0 &&
        ((mode == 0 && slot->user) || (mode == 1 && slot->supervisor) ||
         (mode == 3 && slot->machine)) &&
        slot->pc_lo <= pc && pc <= slot->pc_hi && (!slot->marked || marker == slot->tag) &&
        (!slot->in_burst || static_cast<bool>(fields.in_burst)) &&
        (slot->thread < 0 || slot->thread == static_cast<int32_t>(fields.thread)) &&
        (slot->prediction != 1 || mispredicted) && (slot->prediction != 2 || !mispredicted)) {
      return slot;
    }
  }
  return nullptr;
}

/// The tuple that a slot makes from an instruction. Fields is RetireLane or RetireRecord.
template <class Fields>
Tuple make_tuple_of(const SelectorSlot& slot, const Fields& fields) {
  const uint64_t value = slot.kind == 1   ? fields.pc_wdata
                         : slot.kind == 2 ? fields.mem_addr
                                          : fields.rd_wdata;
  return Tuple{fields.pc_rdata, value, slot.tag};
}

/// Keeps the low bits of a tuple's pc and value, those that a path stores.
class TupleMask {
 public:
  /// @param pc_width, value_width  1 to 64 bits
  /// Throws std::invalid_argument for a parameter out of range.
  TupleMask(unsigned pc_width, unsigned value_width);

  Tuple kept(const Tuple& tuple) const {
    return Tuple{tuple.pc & pc_, tuple.value & value_, tuple.tag};
  }

 private:
  uint64_t pc_, value_;
};

/// Selects tuples from the retire lanes of a cycle. Outputs are combinational; the state is the
/// last marker of each privilege mode.
class Selector {
 public:
  struct Inputs {
    bool clear = false, enable = false;
    SelectorSlot slots[kMaxSelectors];
    unsigned lanes = 0;  // lanes from this number on are ignored
    RetireLane lane[kMaxRetireWidth];
  };
  struct Outputs {
    bool valid[kMaxRetireWidth] = {};
    Tuple tuple[kMaxRetireWidth];
  };

  /// @param selectors  number of slots, 1 to 8
  /// @param pc_width, value_width  bits of pc and value that a tuple keeps, 1 to 64
  /// Throws std::invalid_argument for a parameter out of range.
  explicit Selector(unsigned selectors, unsigned pc_width = 64, unsigned value_width = 64);

  /// One clock cycle: gives the outputs, then takes the edge.
  Outputs step(const Inputs& inputs);

  /// As step(), without copies of its arguments. The result is valid until the next call. Fields of
  /// an invalid lane are 0.
  const Outputs& select(bool enable, const SelectorSlot* slots, const RetireLane* lane,
                        unsigned lanes);
  /// Number of valid lanes in the last result of select().
  unsigned valid_count() const { return valid_count_; }
  /// As make_tuple_of(), with the bits that this selector keeps.
  template <class Fields>
  Tuple tuple_of(const SelectorSlot& slot, const Fields& fields) const {
    return mask_.kept(make_tuple_of(slot, fields));
  }
  /// The edge of a cycle with a clear.
  void clear() { markers_ = MarkerTrack(); }

 private:
  void clear_outputs();

  unsigned selectors_;
  TupleMask mask_;
  unsigned valid_count_ = 0;
  MarkerTrack markers_;
  Outputs outputs_;
};

}  // namespace strobe::profiling
