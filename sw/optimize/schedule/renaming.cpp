#include "sw/optimize/schedule/renaming.h"

#include <algorithm>

#include "sc_models/isa/decode/op.h"
#include "sw/optimize/schedule/effects.h"

namespace strobe::optimize {
namespace {

constexpr unsigned kRegisters = 64, kFirstFloat = 32;
// Where the operands of an instruction are in its encoding.
constexpr unsigned kFieldShifts[] = {7, 15, 20, 27};  // rd, rs1, rs2, rs3
constexpr uint32_t kField = 31;

Registers bit(unsigned reg) { return Registers{1} << reg; }

/// Replaces a register in operands of an instruction. @param first, last  which fields: 0 is rd
void replace(Operation* operation, unsigned from, unsigned to, unsigned first, unsigned last) {
  const char* const operands = isa::info(static_cast<isa::Op>(operation->insn.op)).operands;
  uint32_t word = operation->insn.insn;
  for (unsigned field = first; field <= last; ++field) {
    const char kind = from < kFirstFloat ? 'x' : 'f';
    const unsigned shift = kFieldShifts[field];
    if (operands[field] != kind || (word >> shift & kField) != from % kFirstFloat) continue;
    word = (word & ~(kField << shift)) | (to % kFirstFloat) << shift;
  }
  operation->insn = isa::decode(word);
  operation->renamed = true;
}

class Renamer {
 public:
  explicit Renamer(Region* region) : region_(region), operations_(region->operations) {}

  void run() {
    find_free();
    for (uint32_t i = 0; i < operations_.size(); ++i) {
      const Registers written = writes(operations_[i]);
      if (written == 0 || (written & (written - 1)) != 0 ||
          operations_[i].flow != object::Flow::kNext || is_barrier(operations_[i])) {
        continue;
      }
      const auto reg = static_cast<unsigned>(__builtin_ctzll(written));
      if (reg < kFirstFloat ? reg < 5 : false) continue;
      if (is_hampered(i, reg)) rename(i, reg);
    }
  }

 private:
  /// The registers that nothing in the region reads, writes or expects at an exit.
  void find_free() {
    Registers used = region_->live_at_end;
    for (const Operation& operation : operations_) {
      used |= reads(operation) | writes(operation);
      if (operation.flow == object::Flow::kBranch) used |= operation.live_at_target;
    }
    const Registers free = object::kCallerSaved & ~used & ~object::x(1);
    for (unsigned reg = 0; reg < kRegisters; ++reg) {
      if ((free & bit(reg)) != 0) free_.push_back({reg, 0});
    }
  }

  /// Whether something before `i` keeps this definition of the register where it is.
  bool is_hampered(uint32_t i, unsigned reg) const {
    for (uint32_t j = 0; j < i; ++j) {
      const Operation& operation = operations_[j];
      Registers holds = reads(operation) | writes(operation);
      if (operation.flow == object::Flow::kBranch) holds |= operation.live_at_target;
      if ((holds & bit(reg)) != 0) return true;
    }
    return false;
  }

  void rename(uint32_t i, unsigned reg) {
    std::vector<uint32_t> uses;
    uint32_t end = i + 1;
    for (; end < operations_.size(); ++end) {
      const Operation& operation = operations_[end];
      const bool branches = operation.flow == object::Flow::kBranch;
      if ((reads(operation) & bit(reg)) != 0) {
        if (is_barrier(operation)) return;
        uses.push_back(end);
      }
      if (branches && (operation.live_at_target & bit(reg)) != 0) return;
      if ((writes(operation) & bit(reg)) != 0) break;
    }
    if (end == operations_.size() && (region_->live_at_end & bit(reg)) != 0) return;
    const auto free = std::find_if(free_.begin(), free_.end(), [&](const Free& one) {
      return (one.reg < kFirstFloat) == (reg < kFirstFloat) && one.until <= i;
    });
    if (free == free_.end()) return;
    Free taken = *free;
    replace(&operations_[i], reg, taken.reg, 0, 0);
    for (const uint32_t use : uses) replace(&operations_[use], reg, taken.reg, 1, 3);
    taken.until = uses.empty() ? i : uses.back();
    free_.erase(free);  // the one that was used last is taken last
    free_.push_back(taken);
  }

  struct Free {
    unsigned reg;
    uint32_t until;  // the last use of the value that it holds
  };

  Region* region_;
  std::vector<Operation>& operations_;
  std::vector<Free> free_;
};

}  // namespace

void rename_registers(Region* region) { Renamer(region).run(); }

}  // namespace strobe::optimize
