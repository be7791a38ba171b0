// Predecoded basic blocks of the functional fast path.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sc_models/isa/op.h"
#include "sc_models/port/retire.h"

namespace strobe::isa {

/// Handlers of the block interpreter beyond the instructions themselves.
enum BlockOp : uint16_t {
  kBlockNop = kOpCount,  // an ALU instruction that writes x0
  kBlockEnd,             // behind the last instruction: go on at the following block
  kBlockLeave,           // an instruction the block interpreter leaves to step()
  kBlockOpCount
};

/// One instruction of a block; fields as in DecodedInsn, and its address.
struct BlockInsn {
  uint16_t op = kBlockLeave;
  uint8_t rd = 0, rs1 = 0, rs2 = 0, rs3 = 0;
  uint8_t length = 4;
  uint8_t rounding = 0;
  int32_t imm = 0;
  uint32_t pc = 0;
};
static_assert(sizeof(BlockInsn) == 16, "four instructions a cache line");

/// The class of a jump (JAL when `direct`, else JALR), as RISC-V's table of link registers has it.
inline OpClass jump_class(const BlockInsn& insn, bool direct) {
  const auto is_link = [](unsigned reg) { return reg == 1 || reg == 5; };
  if (direct) return is_link(insn.rd) ? OpClass::kCall : OpClass::kJump;
  if (is_link(insn.rd)) return OpClass::kCallIndirect;
  return is_link(insn.rs1) ? OpClass::kReturn : OpClass::kJumpIndirect;
}

struct Block {
  uint64_t pc = 0;
  uint32_t count = 0;      // instructions, without the ending BlockOp,
  uint32_t bytes = 0;      // and the memory they take
  Block* taken = nullptr;  // successors, once known
  Block* following = nullptr;
  const BlockInsn* insns = nullptr;
};

/// All blocks of both modes. Pointers stay good until clear().
class BlockCache {
 public:
  static constexpr unsigned kMaxInsns = 64;
  static constexpr unsigned kJumpCacheBits = 12;

  struct JumpEntry {
    uint64_t pc = ~uint64_t{0};
    Block* block = nullptr;
  };
  using JumpCache = std::array<JumpEntry, 1u << kJumpCacheBits>;

  /// Targets of indirect jumps, by address; `machine` selects the mode's own.
  JumpEntry* jump_cache(bool machine) { return jump_caches_[machine].data(); }
  static size_t jump_index(uint64_t pc) { return (pc >> 1) & ((1u << kJumpCacheBits) - 1); }

  Block* find(uint64_t pc, bool machine) const {
    const auto it = index_.find(pc << 1 | machine);
    return it == index_.end() ? nullptr : it->second;
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
    blocks_.push_back(std::make_unique<Block>());
    Block* block = blocks_.back().get();
    block->pc = pc;
    block->count = count;
    block->bytes = bytes;
    block->insns = to;
    index_[pc << 1 | machine] = block;
    return block;
  }

  void clear() {
    index_.clear();
    blocks_.clear();
    chunks_.clear();
    used_ = 0;
    for (auto& cache : jump_caches_) cache.fill({});
  }

 private:
  static constexpr unsigned kChunkInsns = 4096;
  std::unordered_map<uint64_t, Block*> index_;  // pc << 1 | machine
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<std::unique_ptr<BlockInsn[]>> chunks_;
  unsigned used_ = 0;
  std::array<JumpCache, 2> jump_caches_;
};

}  // namespace strobe::isa
