// Flat guest memory: one host reservation for the window [0, 4 GiB), one permission byte per page.
//
// The host commits a page when it is first touched. The permission byte holds U-mode
// read/write/execute in bits 0-2 and M-mode read/write/execute in bits 3-5; an address without
// permission is a fault or, from STROBE_DEVICE_BASE on, a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "sc_models/port/address_map.h"

namespace strobe::isa {

class GuestMemory {
 public:
  static constexpr uint64_t kSpan = STROBE_MEMORY_SPAN;
  static constexpr unsigned kPageBits = 12;
  static constexpr uint64_t kPageSize = 1u << kPageBits;

  static constexpr unsigned kReservationBits = 6;  // a reservation covers 64 aligned bytes

  enum Permission : uint8_t { kRead = 1, kWrite = 2, kExecute = 4 };

  /// Reserves the window. Throws std::runtime_error when the host refuses.
  GuestMemory();
  ~GuestMemory();
  GuestMemory(const GuestMemory&) = delete;
  GuestMemory& operator=(const GuestMemory&) = delete;

  /// Host address of guest address 0.
  uint8_t* data() { return data_; }
  const uint8_t* data() const { return data_; }

  /// One byte per page, at index address >> kPageBits; the file's comment lists its bits.
  const uint8_t* permissions() const { return permissions_.data(); }

  /// Sets the permissions of the pages that [address, address + size) touches.
  /// `user` and `machine` are masks of Permission. Both 0 unmaps and zeroes the pages.
  void protect(uint64_t address, uint64_t size, uint8_t user, uint8_t machine);

  /// True when every byte of [address, address + size) has all of `need` for U-mode.
  bool user_may(uint64_t address, uint64_t size, uint8_t need) const;

  /// Debug accesses, which ignore permissions. They return false when they leave the window.
  bool read(uint64_t address, void* to, size_t size) const;
  bool write(uint64_t address, const void* from, size_t size);

  /// The LR reservations of the harts that share this memory; all ones means none. A write breaks
  /// the reservations of the other harts: the debug access above does so itself, guest stores do so
  /// through the StoreBuffer.
  void add_reservation(uint64_t* reservation) { reservations_.push_back(reservation); }
  void remove_reservation(uint64_t* reservation);
  void break_reservations(uint64_t address, uint64_t size, const uint64_t* keep);

  /// A number that rises whenever executable memory may have changed other than by guest stores: by
  /// protect() or a debug write that touches an executable page. Decode caches compare it.
  uint64_t code_epoch() const { return code_epoch_; }

 private:
  bool any_executable(uint64_t first_page, uint64_t last_page) const;

  uint8_t* data_ = nullptr;
  std::vector<uint8_t> permissions_;
  uint64_t code_epoch_ = 0;
  std::vector<uint64_t*> reservations_;
};

}  // namespace strobe::isa
