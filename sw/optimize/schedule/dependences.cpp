#include "sw/optimize/schedule/dependences.h"

#include <algorithm>

#include "sw/optimize/schedule/addresses.h"
#include "sw/optimize/schedule/effects.h"

namespace strobe::optimize {
namespace {

constexpr unsigned kRegisterCount = 64;

/// Adds the dependences in the order of the operations.
class Builder {
 public:
  Builder(const Region& region, const Machine& machine)
      : operations_(region.operations),
        machine_(machine),
        addresses_(region),
        found_(region.operations.size()),
        definition_(kRegisterCount, kNone),
        uses_(kRegisterCount) {}

  std::vector<std::vector<Dependence>> build() {
    for (uint32_t i = 0; i < operations_.size(); ++i) {
      add_registers(i);
      add_barriers(i);
      if (is_load(operations_[i]) || is_store(operations_[i])) add_memory(i);
      add_branches(i);
      if (is_load(operations_[i]) || is_store(operations_[i])) accesses_.push_back(i);
      if (operations_[i].flow == object::Flow::kBranch) branches_.push_back(i);
    }
    return std::move(found_);
  }

 private:
  void add(uint32_t from, uint32_t to, unsigned latency) { found_[from].push_back({to, latency}); }

  void add_registers(uint32_t i) {
    const Registers read = reads(operations_[i]), written = writes(operations_[i]);
    for (unsigned reg = 0; reg < kRegisterCount; ++reg) {
      const Registers bit = Registers{1} << reg;
      if ((read & bit) != 0) {
        if (definition_[reg] != kNone) {
          add(definition_[reg], i, machine_.latency(operations_[definition_[reg]].insn));
        }
        uses_[reg].push_back(i);
      }
      if ((written & bit) != 0) {
        if (definition_[reg] != kNone) add(definition_[reg], i, 0);
        for (const uint32_t use : uses_[reg]) {
          if (use != i) add(use, i, 0);
        }
        definition_[reg] = i;
        uses_[reg].clear();
      }
    }
  }

  /// A barrier, and the first operation of a new unwind row, follow all before them; all after them
  /// follow.
  void add_barriers(uint32_t i) {
    const bool new_row = i > 0 && operations_[i].row != operations_[i - 1].row;
    if (new_row) close(i);
    const bool last_and_leaves =
        i + 1 == operations_.size() && operations_[i].flow != object::Flow::kNext;
    const bool writes_sp = (writes(operations_[i]) & object::x(2)) != 0;
    if (is_barrier(operations_[i]) || last_and_leaves) {
      for (uint32_t j = begin_; j < i; ++j) add(j, i, 0);
      for (const uint32_t j : fence_) add(j, i, 0);
      fence_ = {i};
      begin_ = i + 1;
      return;
    }
    for (const uint32_t j : fence_) add(j, i, 0);
    // Memory below sp is not the program's.
    if (writes_sp) {
      for (const uint32_t access : accesses_) add(access, i, 0);
      sp_written_ = i;
    } else if (sp_written_ != kNone && (is_load(operations_[i]) || is_store(operations_[i]))) {
      add(sp_written_, i, 0);
    }
  }

  /// All from here on follow all since the last barrier.
  void close(uint32_t i) {
    if (begin_ == i) return;
    fence_.clear();
    for (uint32_t j = begin_; j < i; ++j) fence_.push_back(j);
    begin_ = i;
  }

  void add_memory(uint32_t i) {
    for (const uint32_t earlier : accesses_) {
      if (is_load(operations_[earlier]) && is_load(operations_[i])) continue;
      if (addresses_.disjoint(earlier, i)) continue;
      const bool forwards = is_store(operations_[earlier]) && is_load(operations_[i]) &&
                            addresses_.same_bytes(earlier, i);
      add(earlier, i, forwards ? machine_.forward_latency() : 0);
    }
  }

  bool may_pass_upwards(uint32_t i, uint32_t branch) {
    const Operation& operation = operations_[i];
    if (is_store(operation) || is_barrier(operation) || sets_fflags(operation) ||
        operation.flow != object::Flow::kNext ||
        (writes(operation) & operations_[branch].live_at_target) != 0) {
      return false;
    }
    if (!is_load(operation) || addresses_.always_good(i)) return true;
    std::vector<uint32_t> before;
    for (const uint32_t access : accesses_) {
      if (access < branch) before.push_back(access);
    }
    // The accesses that make it good stay before it.
    const std::vector<uint32_t> good = addresses_.make_good(i, before);
    for (const uint32_t access : good) add(access, i, 0);
    return !good.empty();
  }

  bool may_pass_downwards(uint32_t i, uint32_t branch) const {
    const Operation& operation = operations_[i];
    return !is_store(operation) && !is_barrier(operation) && !sets_fflags(operation) &&
           operation.flow == object::Flow::kNext &&
           (writes(operation) & operations_[branch].live_at_target) == 0;
  }

  void add_branches(uint32_t i) {
    for (const uint32_t branch : branches_) {
      if (!may_pass_upwards(i, branch)) add(branch, i, 0);
    }
    if (operations_[i].flow != object::Flow::kBranch) return;
    for (uint32_t j = 0; j < i; ++j) {
      if (!may_pass_downwards(j, i)) add(j, i, 0);
    }
  }

  const std::vector<Operation>& operations_;
  const Machine& machine_;
  Addresses addresses_;
  std::vector<std::vector<Dependence>> found_;
  std::vector<uint32_t> definition_;
  std::vector<std::vector<uint32_t>> uses_;
  std::vector<uint32_t> accesses_, branches_;
  std::vector<uint32_t> fence_;  // what everything from begin_ on follows
  uint32_t begin_ = 0, sp_written_ = kNone;
};

}  // namespace

std::vector<std::vector<Dependence>> dependences_of(const Region& region, const Machine& machine) {
  return Builder(region, machine).build();
}

}  // namespace strobe::optimize
