// Predecoded basic blocks of the functional fast path.
//
// Their number is bounded, because a guest may execute as much code as its memory holds, or write
// new code without end. When the cache is full, the block interpreter is left, and the cache is
// cleared before the interpreter is entered again. After a fence.i a block is not executed before
// block_at() has compared it with the block that the memory would yield now.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sc_models/isa/decode/op.h"
#include "sc_models/port/retire.h"

namespace strobe::isa {

/// Handlers of the block interpreter beyond the instructions themselves.
enum BlockOp : uint16_t {
  kBlockNop = kOpCount,  // an ALU instruction that writes x0
  kBlockEnd,             // after the last instruction: continue at the following block
  kBlockLeave,           // an instruction the block interpreter leaves to step()
  kBlockOpCount
};

/// One instruction of a block: the fields of DecodedInsn that the interpreter needs, and its
/// address.
struct BlockInsn {
  uint16_t op = kBlockLeave;
  uint8_t rd = 0, rs1 = 0, rs2 = 0, rs3 = 0;
  uint8_t length = 4;
  uint8_t rounding = 0;
  int32_t imm = 0;
  uint32_t pc = 0;
};
static_assert(sizeof(BlockInsn) == 16, "four instructions a cache line");

/// The class of a jump (JAL when `direct`, else JALR), from RISC-V's table of link registers.
inline OpClass jump_class(const BlockInsn& insn, bool direct) {
  const auto is_link = [](unsigned reg) { return reg == 1 || reg == 5; };
  if (direct) return is_link(insn.rd) ? OpClass::kCall : OpClass::kJump;
  if (is_link(insn.rd)) return OpClass::kCallIndirect;
  return is_link(insn.rs1) ? OpClass::kReturn : OpClass::kJumpIndirect;
}

/// The classes of which the block interpreter shows every field that a tuple is made of.
inline constexpr uint16_t kShownInBlocks =
    class_bit(OpClass::kLoad) | class_bit(OpClass::kStore) | class_bit(OpClass::kBranch) |
    class_bit(OpClass::kJump) | class_bit(OpClass::kJumpIndirect) | class_bit(OpClass::kCall) |
    class_bit(OpClass::kCallIndirect) | class_bit(OpClass::kReturn);

struct Block {
  uint64_t pc = 0;
  uint32_t count = 0;      // instructions, without the ending BlockOp
  uint32_t bytes = 0;      // guest memory that the instructions occupy
  Block* taken = nullptr;  // successors, once known
  Block* following = nullptr;
  const BlockInsn* insns = nullptr;
  uint32_t stored = 0;      // length of `insns`, with the ending BlockOp
  uint64_t generation = 0;  // the cache's, when the block was last compared with memory
};

/// The blocks of both privilege modes. Pointers to blocks stay valid until clear().
class BlockCache {
 public:
  static constexpr unsigned kMaxInsns = 64;
  static constexpr unsigned kJumpCacheBits = 12;
  static constexpr size_t kMostBlocks = size_t{1} << 16;  // 7 MB
  static constexpr size_t kMostChunks = 192;              // 13 MB

  struct JumpEntry {
    uint64_t pc = ~uint64_t{0};
    Block* block = nullptr;
  };
  using JumpCache = std::array<JumpEntry, 1u << kJumpCacheBits>;

  /// The targets of indirect jumps, by address. Each mode has its own table; `machine` selects
  /// M-mode's.
  JumpEntry* jump_cache(bool machine) { return jump_caches_[machine].data(); }
  static size_t jump_index(uint64_t pc) { return (pc >> 1) & ((1u << kJumpCacheBits) - 1); }

  /// Fills an entry of the jump caches; distrust() empties it.
  void remember_jump(JumpEntry& entry, uint64_t pc, Block* block) {
    if (entry.block == nullptr) jumps_.push_back(&entry);
    entry = {pc, block};
  }

  /// There is no room for another block: call clear() first.
  bool full() const { return blocks_.size() >= kMostBlocks || chunks_.size() >= kMostChunks; }

  /// The block that begins at `pc`, or nullptr. It may be executed only when it is_current().
  Block* find(uint64_t pc, bool machine) const {
    const auto it = index_.find(pc << 1 | machine);
    return it == index_.end() ? nullptr : it->second;
  }

  bool is_current(const Block& block) const { return block.generation == generation_; }

  /// Makes the old block current if its instructions equal `insns`. Returns false, and changes
  /// nothing, if they differ.
  bool renew(Block& block, const BlockInsn* insns, unsigned stored) const {
    if (block.stored != stored || std::memcmp(block.insns, insns, stored * sizeof *insns) != 0) {
      return false;
    }
    block.taken = block.following = nullptr;
    block.generation = generation_;
    return true;
  }

  Block* insert(uint64_t pc, bool machine, const BlockInsn* insns, unsigned stored, uint32_t count,
                uint32_t bytes) {
    if (chunks_.empty() || used_ + stored > kChunkInsns) {
      chunks_.push_back(std::make_unique<BlockInsn[]>(kChunkInsns));
      used_ = 0;
    }
    BlockInsn* to = chunks_.back().get() + used_;
    used_ += stored;
    std::copy(insns, insns + stored, to);
    Block* block = &blocks_.emplace_back();
    block->pc = pc;
    block->count = count;
    block->bytes = bytes;
    block->insns = to;
    block->stored = stored;
    block->generation = generation_;
    index_[pc << 1 | machine] = block;
    return block;
  }

  /// To be called when code may have been written: makes no block current.
  void distrust() {
    ++generation_;
    for (JumpEntry* entry : jumps_) *entry = {};
    jumps_.clear();
  }

  void clear() {
    distrust();
    index_.clear();
    blocks_.clear();
    chunks_.clear();
    used_ = 0;
  }

 private:
  static constexpr unsigned kChunkInsns = 4096;
  std::unordered_map<uint64_t, Block*> index_;  // pc << 1 | machine
  std::deque<Block> blocks_;
  std::vector<std::unique_ptr<BlockInsn[]>> chunks_;
  unsigned used_ = 0;
  uint64_t generation_ = 0;
  std::array<JumpCache, 2> jump_caches_;
  std::vector<JumpEntry*> jumps_;  // the entries of jump_caches_ that are in use
};

}  // namespace strobe::isa
