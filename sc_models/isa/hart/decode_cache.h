// Decoded instructions by address: one slot per halfword. A page of slots is made when it is first
// needed.
//
// A guest may execute as much code as its memory holds, and a decoded page takes 13 times the room
// of the page itself. The number of pages is therefore bounded: the hart clears the cache when
// there is no room. A page keeps the bytes it was decoded from, so that after a fence.i only the
// pages that were written are decoded again.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>

#include "sc_models/isa/decode/decoded.h"
#include "sc_models/isa/hart/dise.h"
#include "sc_models/isa/memory/guest_memory.h"

namespace strobe::isa {

class DecodeCache {
 public:
  static constexpr size_t kMostPages = 256;  // 14 MB

  explicit DecodeCache(const GuestMemory& memory) : memory_(memory) {}

  /// From now on, instructions that concern `engine` are decoded with the flag kEdited.
  void set_engine(const DecodeEngine* engine) { engine_ = engine; }

  /// Whether the page of `pc` is in the cache or there is room for it. If not, call clear() first.
  bool has_room_for(uint64_t pc) const {
    return held_ < kMostPages || held(pc >> GuestMemory::kPageBits);
  }

  /// The decoded instruction at an even address inside the window. The caller has checked that its
  /// page may be executed. Both halves of an instruction that crosses a page end are read.
  const DecodedInsn& at(uint64_t pc) {
    const uint64_t page = pc >> GuestMemory::kPageBits;
    if (page != current_page_) select(page);
    DecodedInsn& slot = current_->slots[(pc & (GuestMemory::kPageSize - 1)) >> 1];
    if (slot.length == 0) fill(slot, pc);
    return slot;
  }

  /// The slots of a page, one per halfword; a slot of length 0 is not decoded yet. The last slot is
  /// followed by one that is not plain. The pointer is valid until clear() or the first access to
  /// the page after distrust().
  const DecodedInsn* page_of(uint64_t pc) {
    const uint64_t page = pc >> GuestMemory::kPageBits;
    if (page != current_page_) select(page);
    return current_->slots.data();
  }

  /// To be called when code may have been written: each page is compared with the memory before its
  /// next use.
  void distrust() {
    ++generation_;
    current_page_ = kNoPage;
  }

  void clear() {
    for (auto& group : groups_) group.reset();
    held_ = 0;
    current_page_ = kNoPage;
  }

 private:
  static constexpr unsigned kGroupBits = 10;
  static constexpr uint64_t kSlots = GuestMemory::kPageSize / 2;
  static constexpr uint64_t kNoPage = ~uint64_t{0};

  struct Page {
    std::array<DecodedInsn, kSlots + 1> slots;
    uint64_t generation = 0;  // the cache's at the last comparison with the memory
    bool mixed = false;       // written while in use: some slots were not decoded from `source`
    // The bytes that the page was decoded from: its own, and the first two of the next page.
    std::array<uint8_t, GuestMemory::kPageSize + 2> source{};
  };
  using Group = std::array<std::unique_ptr<Page>, 1u << kGroupBits>;

  bool held(uint64_t page) const {
    const auto& group = groups_[page >> kGroupBits];
    return group && (*group)[page & ((1u << kGroupBits) - 1)];
  }

  void select(uint64_t page) {
    auto& group = groups_[page >> kGroupBits];
    if (!group) group = std::make_unique<Group>();
    auto& entry = (*group)[page & ((1u << kGroupBits) - 1)];
    if (!entry) {
      entry = std::make_unique<Page>();
      ++held_;
      start(*entry, page);
    } else if (entry->generation != generation_ && !is_as_decoded(*entry, page)) {
      start(*entry, page);
    }
    entry->generation = generation_;
    current_ = entry.get();
    current_page_ = page;
  }

  // The number of bytes of memory that the instructions of a page can occupy.
  static size_t source_size(uint64_t page) {
    const uint64_t left = GuestMemory::kSpan - (page << GuestMemory::kPageBits);
    return std::min<uint64_t>(left, GuestMemory::kPageSize + 2);
  }
  bool is_as_decoded(const Page& decoded, uint64_t page) const {
    const uint8_t* now = memory_.data() + (page << GuestMemory::kPageBits);
    return !decoded.mixed && std::memcmp(decoded.source.data(), now, source_size(page)) == 0;
  }
  void start(Page& fresh, uint64_t page) const {
    for (uint64_t i = 0; i < kSlots; ++i) fresh.slots[i].length = 0;
    fresh.mixed = false;
    const uint8_t* now = memory_.data() + (page << GuestMemory::kPageBits);
    std::memcpy(fresh.source.data(), now, source_size(page));
  }

  void fill(DecodedInsn& slot, uint64_t pc) {
    uint16_t halves[2] = {0, 0};
    unsigned bytes = 2;
    std::memcpy(&halves[0], memory_.data() + pc, 2);
    if ((halves[0] & 3) == 3 && pc + 2 < GuestMemory::kSpan) {
      std::memcpy(&halves[1], memory_.data() + pc + 2, 2);
      bytes = 4;
    }
    const uint8_t* source = &current_->source[pc & (GuestMemory::kPageSize - 1)];
    if (std::memcmp(source, halves, bytes) != 0) current_->mixed = true;
    slot = decode(halves[0] | static_cast<uint32_t>(halves[1]) << 16);
    if (engine_ != nullptr && Dise::must_see(slot, pc, *engine_)) slot.flags |= kEdited;
    const bool inside = (pc & (GuestMemory::kPageSize - 1)) + slot.length <= GuestMemory::kPageSize;
    if (inside && (slot.flags & kEdited) == 0) slot.plain = plain_case(slot);
  }

  static constexpr uint64_t kPages = GuestMemory::kSpan >> GuestMemory::kPageBits;
  const GuestMemory& memory_;
  const DecodeEngine* engine_ = nullptr;
  std::array<std::unique_ptr<Group>, (kPages >> kGroupBits)> groups_;
  size_t held_ = 0;
  uint64_t generation_ = 0;
  uint64_t current_page_ = kNoPage;
  Page* current_ = nullptr;
};

}  // namespace strobe::isa
