// The stores of one hart that the others do not see yet.
//
// A hart executes at decode, a store reaches the cache behind commit: what other harts may see of
// it is decided then. Until then the bytes wait here, in program order, and the hart's own loads
// find them (total store order). Atomics execute with nothing before them here.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>

#include "sc_models/isa/guest_memory.h"

namespace strobe::isa {

class StoreBuffer {
 public:
  /// @param reservation  of the hart: all ones when it has none
  StoreBuffer(GuestMemory& memory, uint64_t& reservation)
      : memory_(memory), reservation_(reservation) {
    memory_.add_reservation(&reservation_);
  }
  ~StoreBuffer() { memory_.remove_reservation(&reservation_); }
  StoreBuffer(const StoreBuffer&) = delete;
  StoreBuffer& operator=(const StoreBuffer&) = delete;

  /// A store of `size` bytes, 1 to 8.
  void push(uint64_t address, unsigned size, uint64_t value) {
    stores_.push_back({address, value, size});
  }
  /// An atomic, which reads and writes the memory itself; it has its place among the stores.
  void push_atomic(uint64_t address) { stores_.push_back({address, 0, 0}); }
  /// Of the other harts: this one has written there.
  void break_reservations(uint64_t address, uint64_t size) {
    memory_.break_reservations(address, size, &reservation_);
  }

  /// Lays the bytes of older stores over what a load of `size` bytes read from memory.
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
  /// The oldest has reached the cache: from now on everybody sees it.
  void write_oldest() {
    const Store store = stores_.front();
    stores_.pop_front();
    if (store.size == 0) return;
    std::memcpy(memory_.data() + store.address, &store.value, store.size);
    break_reservations(store.address, store.size);
  }
  /// All of them have: nobody is going to say when.
  void write_all() {
    while (!stores_.empty()) write_oldest();
  }

 private:
  struct Store {
    uint64_t address, value;
    unsigned size;  // 0: an atomic
  };
  GuestMemory& memory_;
  uint64_t& reservation_;
  std::deque<Store> stores_;
};

}  // namespace strobe::isa
