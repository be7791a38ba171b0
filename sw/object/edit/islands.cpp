// Jumps that do not reach their targets, which is when a section has more than 1 MiB, are handed on
// by others between functions. That takes no register, as a jump to an address in one would.
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "sc_models/isa/decode/decoded.h"
#include "sc_models/isa/decode/op.h"
#include "sw/object/edit/encode.h"
#include "sw/object/edit/layout.h"
#include "sw/object/file/relocation_kinds.h"

namespace strobe::object {
namespace {

/// How far an island is at most: the section may still grow between the two.
constexpr int64_t kHop = reach_of(R_RISCV_JAL) * 7 / 8;
/// And at least, so that jumps get somewhere.
constexpr int64_t kLeastHop = reach_of(R_RISCV_JAL) / 16;

}  // namespace

std::vector<uint32_t> Layout::far_jumps() {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < fragments_.size(); ++i) {
    if (fragments_[i].branch == kNone) continue;
    const std::optional<int64_t> distance = distance_of(fragments_[i]);
    if (distance && !reaches(relocations_[fragments_[i].branch].type, *distance))
      found.push_back(i);
  }
  return found;
}

/// Before each function, and before the no-ops that align it; by place.
std::vector<Layout::Island> Layout::islands() {
  std::vector<uint32_t> begins;  // fragments with which new functions begin
  for (const auto& [fragment, symbol] : defines_) {
    if (file_->symbols[symbol].type == STT_FUNC) begins.push_back(fragment);
  }
  std::sort(begins.begin(), begins.end());
  const auto begins_function = [&](const Fragment& fragment, uint32_t number) {
    const std::vector<Function>& functions = code_.functions();
    const auto old =
        std::lower_bound(functions.begin(), functions.end(), fragment.labels_at,
                         [](const Function& one, uint32_t at) { return one.start < at; });
    return (old != functions.end() && old->start == fragment.labels_at) ||
           std::binary_search(begins.begin(), begins.end(), number);
  };
  std::vector<Island> found;
  uint32_t before = kNone;  // the last fragment with bytes that is no alignment
  bool aligns = false;
  for_fragments([&](const Fragment& fragment, uint32_t number) {
    if (before != kNone && begins_function(fragment, number)) {
      const Fragment& last = fragments_[before];
      found.push_back({number, before, last.to + last.size, falls_through(last)});
    }
    if (fragment.size == 0) return;
    const bool glued =
        fragment.from != kNone && code_.instructions()[code_.at(fragment.from)].glued;
    aligns = (aligns && glued) || (fragment.relocation_count > 0 &&
                                   relocations_[fragment.relocation].type == R_RISCV_ALIGN);
    if (!aligns) before = number;
  });
  return found;
}

/// Control goes on after the fragment. What is no jump by itself may be data.
bool Layout::falls_through(const Fragment& fragment) const {
  uint32_t word = 0;
  const uint32_t size = fragment.size == 2 ? 2 : 4;
  if (fragment.size < size) return true;
  std::memcpy(&word, bytes_.data() + fragment.begin + fragment.size - size, size);
  const isa::DecodedInsn insn = isa::decode(word);
  return isa::info(static_cast<isa::Op>(insn.op)).kind != isa::Kind::kJump || insn.rd != kZero;
}

/// The jump of a fragment goes to the farthest island that it reaches on its way.
void Layout::bridge(uint32_t fragment, std::vector<Island>* islands) {
  const Relocation target = relocations_[fragments_[fragment].branch];
  const auto from = static_cast<int64_t>(fragments_[fragment].to + target.offset);
  const int64_t distance = *distance_of(fragments_[fragment]);
  auto island =
      std::lower_bound(islands->begin(), islands->end(), from + (distance > 0 ? kHop : -kHop),
                       [](const Island& one, int64_t at) { return one.place < at; });
  if (distance > 0 && island != islands->begin()) --island;
  const int64_t way = island == islands->end() ? 0 : int64_t{island->place} - from;
  if ((distance > 0 ? way : -way) < kLeastHop || std::abs(way) > kHop) refuse(fragment, distance);
  const uint32_t label = hop(target, &*island);
  Relocation& handed_on = relocations_[fragments_[fragment].branch];
  handed_on.symbol = label;
  handed_on.addend = 0;
}

/// The label of the island's jump to a target.
uint32_t Layout::hop(const Relocation& target, Island* island) {
  const auto [known, is_new] =
      hops_.try_emplace({island->before, target.symbol, target.addend}, kNone);
  if (!is_new) return known->second;
  if (island->entered) {  // what falls into it jumps over it
    const uint32_t over = file_->add_label(section_, 0);
    island->after = insert_jump(island->after, over, 0);
    Fragment end;
    end.begin = fragments_[island->after].begin;
    defines_.emplace_back(insert(island->after, end), over);
    island->entered = false;
  }
  island->after = insert_jump(island->after, target.symbol, target.addend);
  known->second = file_->add_label(section_, 0);
  defines_.emplace_back(island->after, known->second);
  return known->second;
}

uint32_t Layout::insert(uint32_t after, Fragment fragment) {
  const auto number = static_cast<uint32_t>(fragments_.size());
  fragment.next = fragments_[after].next;
  fragments_[after].next = number;
  fragments_.push_back(fragment);
  return number;
}

uint32_t Layout::insert_jump(uint32_t after, uint32_t symbol, int64_t addend) {
  Fragment fragment;
  fragment.begin = static_cast<uint32_t>(bytes_.size());
  fragment.size = 4;
  fragment.branch = fragment.relocation = static_cast<uint32_t>(relocations_.size());
  fragment.relocation_count = 1;
  put(jump());
  relocations_.push_back({0, R_RISCV_JAL, symbol, addend});
  return insert(after, fragment);
}

void Layout::refuse(uint32_t fragment, int64_t distance) {
  uint32_t from = 0;  // the old instruction that the fragment is at, or after
  bool found = false;
  for_fragments([&](const Fragment& each, uint32_t number) {
    if (!found && each.from != kNone) from = each.from;
    found |= number == fragment;
  });
  throw ObjectError(
      fmt::format("{}: {}: a jump of {} bytes after the edit: expected at most 1 MiB, or the "
                  "end of a function on its way, got code of one function; split the function, or "
                  "leave this object out",
                  file_->name, file_->describe(section_, from), distance));
}

}  // namespace strobe::object
