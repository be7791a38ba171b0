// The decode engine's seam: what the core's decode stage asks of DISE. docs/blocks/dise.md
//
// The core presents bundles of instructions, on the wrong path too, and is told which lane is
// replaced; it then fetches the instantiated sequence entry by entry. Standard library only.
#pragma once

#include <cstdint>

namespace strobe {

/// The widest bundle an engine takes.
inline constexpr unsigned kMaxDecodeLanes = 4;
/// Checkpoint slots: a slot number is below.
inline constexpr unsigned kDecodeSlots = 32;

/// Offset of DISE_RANDOM, the state of branch-on-random. The hart keeps it, as it keeps the dise
/// registers.
inline constexpr uint32_t kDiseRandom = 0x20;
/// Offset of the first of the eight DISE_REG registers.
inline constexpr uint32_t kDiseReg = 0x40;

/// One instruction as decode sees it, right path or wrong.
struct DecodeLane {
  uint64_t pc = 0;
  uint64_t target = 0;  // where a branch or jal goes; 0 for others
  uint32_t insn = 0;    // the 32-bit form
  uint8_t length = 4;   // bytes in memory: 2 or 4
  bool expand = true;   // a replacement is allowed here
};

/// Where the state after an instruction is saved: {slot, lane}.
struct DecodeCheckpoint {
  uint8_t slot = 0;
  uint8_t lane = 0;
};

struct DecodeDecision {
  unsigned consumed = 0;  // lanes, the replaced one included; the others are presented again
  bool replaced = false;  // the last consumed lane is
  uint16_t entry = 0;     // where its sequence starts in the replacement table
  uint8_t in_burst = 0;   // bit k: a burst was on before lane k, which is consumed
};

/// What one instruction of a sequence is; docs/blocks/dise.md, "Replacement table".
enum class ReplacementKind : uint8_t {
  kInstruction = 0,
  kTrigger = 1,
  kValueLoad = 2,
  kDiseBranch = 3,
  kCall = 4,
};

struct InstantiatedInstruction {
  ReplacementKind kind = ReplacementKind::kInstruction;
  uint32_t insn = 0;                                         // register fields resolved
  bool dise_rd = false, dise_rs1 = false, dise_rs2 = false;  // the field names a dise register
  bool last = false;
  uint16_t go_to = 0;  // entry after a taken DISE branch
  uint64_t value = 0;  // what a value load gives; the address that a dcall goes to
};

/// Implemented by the reference, by the Verilated engine and by the two in lockstep.
class DecodeEngine {
 public:
  virtual ~DecodeEngine() = default;

  /// Lanes 0 to count - 1 in program order, count from 1 to the engine's width. State changes for
  /// the consumed lanes, and is saved after each of them under `slot`.
  virtual DecodeDecision decode(const DecodeLane* lanes, unsigned count, uint8_t slot) = 0;
  /// Puts back the state after a lane decoded earlier.
  virtual void restore(DecodeCheckpoint checkpoint) = 0;
  /// Entry `entry` of the replacement table for this trigger.
  virtual InstantiatedInstruction instantiate(const DecodeLane& trigger, uint16_t entry) = 0;

  /// False: decode() of this instruction would change nothing and replace nothing, whatever the
  /// state. The core asks once an instruction word and pc, until generation() changes.
  virtual bool concerns(const DecodeLane& lane) const = 0;
  /// Another number whenever the pattern table or the enable bit has changed.
  virtual uint64_t generation() const = 0;
  /// The sampling position: a burst is on, for counter 1 has overflowed and counter 2 has not.
  virtual bool burst() = 0;

  /// The register block, 8-byte accesses at the offsets of docs/blocks/dise.md.
  virtual uint64_t read(uint32_t offset) = 0;
  virtual void write(uint32_t offset, uint64_t value) = 0;
};

}  // namespace strobe
