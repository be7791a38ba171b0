// The stores of one hart that the other harts do not see yet.
//
// A hart executes at decode, but a store reaches the cache after commit, and only then may other
// harts see it. Until then its bytes wait here, in program order, and the hart's own loads find
// them (total store order). No older store waits here when an atomic executes.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

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
    append({address, value, size});
    store_of_[granule_of(address)] = store_of_[granule_of(address + size - 1)] = end_;
  }
  /// Appends an atomic. It reads and writes the memory itself, but has its place in the order of
  /// the stores.
  void push_atomic(uint64_t address) { append({address, 0, 0}); }
  /// Breaks the reservations of the other harts where this hart has written.
  void break_reservations(uint64_t address, uint64_t size) {
    memory_.break_reservations(address, size, &reservation_);
  }

  /// Overlays the bytes of older stores on `value`, which a load of `size` bytes read from memory.
  void forward(uint64_t address, unsigned size, uint64_t& value) const {
    const uint64_t first = store_of_[granule_of(address)];
    const uint64_t last = store_of_[granule_of(address + size - 1)];
    if (first > begin_ || last > begin_) overlay(address, size, value);
  }

  uint64_t oldest_first_byte() const { return at(begin_).address; }
  uint64_t oldest_last_byte() const {
    const Store& store = at(begin_);
    return store.size == 0 ? store.address : store.address + store.size - 1;
  }
  /// To be called when the oldest store has reached the cache: makes it visible to all harts.
  void write_oldest() {
    const Store store = at(begin_++);
    if (store.size == 0) return;
    std::memcpy(memory_.data() + store.address, &store.value, store.size);
    break_reservations(store.address, store.size);
  }
  /// Makes all stores visible at once, where their time is not modeled.
  void write_all() {
    while (begin_ != end_) write_oldest();
  }

 private:
  struct Store {
    uint64_t address, value;
    unsigned size;  // bytes; 0: an atomic
  };
  static constexpr unsigned kGranules = 256;

  static size_t granule_of(uint64_t address) { return address / 8 % kGranules; }
  const Store& at(uint64_t number) const { return stores_[number & (stores_.size() - 1)]; }
  void append(const Store& store) {
    if (end_ - begin_ == stores_.size()) grow();
    stores_[end_++ & (stores_.size() - 1)] = store;
  }
  void grow() {
    std::vector<Store> larger(2 * stores_.size());
    for (uint64_t i = begin_; i < end_; ++i) larger[i & (larger.size() - 1)] = at(i);
    stores_.swap(larger);
  }
  // From the youngest store on, until it has all bytes.
  void overlay(uint64_t address, unsigned size, uint64_t& value) const {
    unsigned missing = (1u << size) - 1;
    for (uint64_t number = end_; number > begin_ && missing != 0;) {
      const Store& store = at(--number);
      if (store.address >= address + size || address >= store.address + store.size) continue;
      for (unsigned i = 0; i < size; ++i) {
        const uint64_t from = address + i - store.address;
        if (from >= store.size || (missing >> i & 1) == 0) continue;
        missing &= ~(1u << i);
        value &= ~(uint64_t{0xff} << 8 * i);
        value |= (store.value >> 8 * from & 0xff) << 8 * i;
      }
    }
  }

  GuestMemory& memory_;
  uint64_t& reservation_;
  std::vector<Store> stores_ = std::vector<Store>(64);  // a ring; its size is a power of two
  uint64_t begin_ = 0, end_ = 0;                        // numbers of stores: those that wait here
  uint64_t store_of_[kGranules] = {};  // by hashed eight bytes: number + 1 of the last store there
};

}  // namespace strobe::isa
