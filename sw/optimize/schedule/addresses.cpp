#include "sw/optimize/schedule/addresses.h"

#include <algorithm>

#include "sw/optimize/schedule/effects.h"

namespace strobe::optimize {
namespace {

constexpr uint64_t kPage = 4096;
constexpr unsigned kSp = 2;
// The kinds of roots: below 32 a register at the entry; then sections, symbols and results.
constexpr uint64_t kSections = uint64_t{1} << 32, kSymbols = uint64_t{2} << 32,
                   kResults = uint64_t{3} << 32;

bool is_static(uint64_t root) { return root >= kSections && root < kResults; }

Address of_static(const StaticAddress& address) {
  return {address.section == kNone ? kSymbols + address.symbol : kSections + address.section,
          address.offset};
}

int64_t size_of(const Operation& operation) { return operation.insn.mem_size; }

}  // namespace

Addresses::Addresses(const Region& region) : region_(region), access_(region.operations.size()) {
  Address values[32];
  for (unsigned i = 0; i < 32; ++i) values[i] = {i, 0};
  for (uint32_t i = 0; i < region.operations.size(); ++i) {
    const Operation& operation = region.operations[i];
    const isa::DecodedInsn& insn = operation.insn;
    if (is_load(operation) || is_store(operation)) {
      access_[i] = operation.address
                       ? of_static(*operation.address)
                       : Address{values[insn.rs1].root, values[insn.rs1].offset + insn.imm};
    }
    const Registers written = writes(operation) & 0xffffffff;
    if (written == 0) continue;
    Address result = {kResults + i, 0};
    const auto op = static_cast<isa::Op>(insn.op);
    if (op == isa::Op::kAddi) {
      result = operation.address
                   ? of_static(*operation.address)
                   : Address{values[insn.rs1].root, values[insn.rs1].offset + insn.imm};
    } else if (op == isa::Op::kAdd && (insn.rs1 == 0 || insn.rs2 == 0)) {
      result = values[insn.rs1 == 0 ? insn.rs2 : insn.rs1];
    }
    for (unsigned reg = 1; reg < 32; ++reg) {
      if ((written & object::x(reg)) != 0) values[reg] = result;
    }
  }
}

bool Addresses::disjoint(uint32_t a, uint32_t b) const {
  const Address &one = access_[a], &other = access_[b];
  if (one.root == other.root) {
    return one.offset + size_of(region_.operations[a]) <= other.offset ||
           other.offset + size_of(region_.operations[b]) <= one.offset;
  }
  if (is_static(one.root) && is_static(other.root)) {
    return one.root < kSymbols && other.root < kSymbols;  // two sections of this object
  }
  return (one.root == kSp && is_static(other.root)) || (other.root == kSp && is_static(one.root));
}

bool Addresses::same_bytes(uint32_t a, uint32_t b) const {
  return access_[a].root == access_[b].root && access_[a].offset == access_[b].offset;
}

bool Addresses::always_good(uint32_t load) const {
  const Operation& operation = region_.operations[load];
  const Address& at = access_[load];
  if (operation.address && operation.address->section != kNone) {
    return at.offset >= 0 &&
           static_cast<uint64_t>(at.offset + size_of(operation)) <= operation.address->section_size;
  }
  // From sp as it is there, not as it was at the region's entry.
  return operation.insn.rs1 == kSp && operation.insn.imm >= 0 &&
         static_cast<uint64_t>(operation.insn.imm + size_of(operation)) <= region_.frame_bytes;
}

std::vector<uint32_t> Addresses::make_good(uint32_t load,
                                           const std::vector<uint32_t>& before) const {
  const Address& at = access_[load];
  const int64_t size = size_of(region_.operations[load]);
  uint32_t below = kNone, above = kNone;
  const auto end_of = [&](uint32_t access) {
    return access_[access].offset + size_of(region_.operations[access]);
  };
  for (const uint32_t access : before) {
    const int64_t begin = access_[access].offset;
    if (access_[access].root != at.root || size_of(region_.operations[access]) < size ||
        (begin - at.offset) % size != 0) {
      continue;
    }
    if (begin <= at.offset && (below == kNone || begin > access_[below].offset)) below = access;
    if (end_of(access) >= at.offset + size && (above == kNone || end_of(access) < end_of(above))) {
      above = access;
    }
  }
  if (below == kNone || above == kNone ||
      static_cast<uint64_t>(end_of(above) - access_[below].offset) > kPage) {
    return {};
  }
  return {below, above};
}

}  // namespace strobe::optimize
