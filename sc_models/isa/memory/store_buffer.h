// The stores of one hart that the other harts do not see yet.
//
// A hart executes at decode, but a store reaches the cache after commit, and only then may other
// harts see it. Until then its bytes wait here, in program order, and the hart's own loads find
// them (total store order). No older store waits here when an atomic executes.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>

#include "sc_models/isa/memory/guest_memory.h"

namespace strobe::isa {

class StoreBuffer {
 public:
  /// @param reservation  the hart's LR reservation; all ones when it has none
  StoreBuffer(GuestMemory& memory, uint64_t& reservation)
      : memory_(memory), reservation_(reservation) {
    memory_.add_reservation(&reservation_);
  }
  ~StoreBuffer() { memory_.remove_reservation(&reservation_); }
  StoreBuffer(const StoreBuffer&) = delete;
  StoreBuffer& operator=(const StoreBuffer&) = delete;

  /// Appends a store of `size` bytes, 1 to 8.
  void push(uint64_t address, unsigned size, uint64_t value) {
    stores_.push_back({address, value, size});
  }
  /// Appends an atomic. It reads and writes the memory itself, but has its place in the order of
  /// the stores.
  void push_atomic(uint64_t address) { stores_.push_back({address, 0, 0}); }
  /// Breaks the reservations of the other harts where this hart has written.
  void break_reservations(uint64_t address, uint64_t size) {
    memory_.break_reservations(address, size, &reservation_);
  }

  /// Overlays the bytes of older stores on `value`, which a load of `size` bytes read from memory.
  void forward(uint64_t address, unsigned size, uint64_t& value) const {
    for (const Store& store : stores_) {
      if (store.address >= address + size || address >= store.address + store.size) continue;
      for (unsigned i = 0; i < store.size; ++i) {
        const uint64_t at = store.address + i - address;
        if (at >= size) continue;
        value &= ~(uint64_t{0xff} << 8 * at);
        value |= (store.value >> 8 * i & 0xff) << 8 * at;
      }
    }
  }

  uint64_t oldest_first_byte() const { return stores_.front().address; }
  uint64_t oldest_last_byte() const {
    const Store& store = stores_.front();
    return store.size == 0 ? store.address : store.address + store.size - 1;
  }
  /// To be called when the oldest store has reached the cache: makes it visible to all harts.
  void write_oldest() {
    const Store store = stores_.front();
    stores_.pop_front();
    if (store.size == 0) return;
    std::memcpy(memory_.data() + store.address, &store.value, store.size);
    break_reservations(store.address, store.size);
  }
  /// Makes all stores visible at once, where their time is not modeled.
  void write_all() {
    while (!stores_.empty()) write_oldest();
  }

 private:
  struct Store {
    uint64_t address, value;
    unsigned size;  // bytes; 0: an atomic
  };
  GuestMemory& memory_;
  uint64_t& reservation_;
  std::deque<Store> stores_;
};

}  // namespace strobe::isa
