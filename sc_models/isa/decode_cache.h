// Decoded instructions by address: one slot a halfword, a page of slots made when first needed.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>

#include "sc_models/isa/decoded.h"
#include "sc_models/isa/dise.h"
#include "sc_models/isa/guest_memory.h"

namespace strobe::isa {

class DecodeCache {
 public:
  explicit DecodeCache(const GuestMemory& memory) : memory_(memory) {}

  /// What concerns the engine is decoded with the flag kEdited from now on.
  void set_engine(const DecodeEngine* engine) { engine_ = engine; }

  /// The decoded instruction at an even address inside the window. The caller has checked that its
  /// page may be executed; of an instruction across a page end both halves are read.
  const DecodedInsn& at(uint64_t pc) {
    const uint64_t page = pc >> GuestMemory::kPageBits;
    if (page != current_page_) select(page);
    DecodedInsn& slot = (*current_)[(pc & (GuestMemory::kPageSize - 1)) >> 1];
    if (slot.length == 0) fill(slot, pc);
    return slot;
  }

  /// The slots of a page, one a halfword; length 0: not decoded yet. Behind the last there is one
  /// that is not plain. Good until clear().
  const DecodedInsn* page_of(uint64_t pc) {
    const uint64_t page = pc >> GuestMemory::kPageBits;
    if (page != current_page_) select(page);
    return current_->data();
  }

  void clear() {
    for (auto& group : groups_) group.reset();
    current_page_ = ~uint64_t{0};
  }

 private:
  static constexpr unsigned kGroupBits = 10;
  static constexpr uint64_t kSlots = GuestMemory::kPageSize / 2;
  using Page = std::array<DecodedInsn, kSlots + 1>;
  using Group = std::array<std::unique_ptr<Page>, 1u << kGroupBits>;

  void select(uint64_t page) {
    auto& group = groups_[page >> kGroupBits];
    if (!group) group = std::make_unique<Group>();
    auto& slots = (*group)[page & ((1u << kGroupBits) - 1)];
    if (!slots) {
      slots = std::make_unique<Page>();
      for (uint64_t i = 0; i < kSlots; ++i) (*slots)[i].length = 0;
    }
    current_ = slots.get();
    current_page_ = page;
  }

  void fill(DecodedInsn& slot, uint64_t pc) const {
    uint16_t halves[2] = {0, 0};
    std::memcpy(&halves[0], memory_.data() + pc, 2);
    if ((halves[0] & 3) == 3 && pc + 2 < GuestMemory::kSpan) {
      std::memcpy(&halves[1], memory_.data() + pc + 2, 2);
    }
    slot = decode(halves[0] | static_cast<uint32_t>(halves[1]) << 16);
    if (engine_ != nullptr && Dise::must_see(slot, pc, *engine_)) slot.flags |= kEdited;
    const bool inside = (pc & (GuestMemory::kPageSize - 1)) + slot.length <= GuestMemory::kPageSize;
    if (inside && (slot.flags & kEdited) == 0) slot.plain = plain_case(slot);
  }

  static constexpr uint64_t kPages = GuestMemory::kSpan >> GuestMemory::kPageBits;
  const GuestMemory& memory_;
  const DecodeEngine* engine_ = nullptr;
  std::array<std::unique_ptr<Group>, (kPages >> kGroupBits)> groups_;
  uint64_t current_page_ = ~uint64_t{0};
  Page* current_ = nullptr;
};

}  // namespace strobe::isa
