// The user address space: the break, mappings and the stack, over GuestMemory's page permissions.
//
//   ELF | heap, grows up (brk) ... mappings, top down | guard | stack, 8 MiB | STROBE_USER_TOP
//
// A user page is mapped exactly when its permission byte is not 0. M-mode may read and write every
// mapped page, because firmware accesses user memory, so the byte of a PROT_NONE page is not 0
// either.
#pragma once

#include <cstdint>

#include "sc_models/isa/linux/backings.h"
#include "sc_models/isa/linux/user_memory.h"

namespace strobe::isa {

class AddressSpace {
 public:
  static constexpr uint64_t kStackSize = uint64_t{8} << 20;
  static constexpr uint64_t kGuardSize = uint64_t{1} << 20;
  /// The program, its heap and its mappings lie below this address.
  static constexpr uint64_t kLowestStack = STROBE_USER_TOP - kStackSize - kGuardSize;
  static constexpr uint64_t kLowestMapping = 0x10000;

  /// @param program_end  first address after the loaded program; the heap starts on the next page
  /// @param limit        bytes of heap, mappings and stack together
  AddressSpace(UserMemory& memory, uint64_t program_end, uint64_t limit, bool executable_stack);

  uint64_t stack_top() const { return STROBE_USER_TOP; }
  /// Bytes of heap, mappings and stack, and what is reserved.
  uint64_t used() const { return (used_pages_ + reserved_pages_) * GuestMemory::kPageSize; }

  /// Counts pages outside of the address space that are the program's all the same. Returns false
  /// at the limit.
  bool reserve(uint64_t pages);
  void release(uint64_t pages) { reserved_pages_ -= pages; }
  bool room_for(uint64_t size) const;

  /// brk(2) as in the kernel: returns the new break, or the old one when it cannot move.
  uint64_t set_break(uint64_t address);

  /// This call and those below return an address (or 0), or a negative error number. `flags` and
  /// `protection` are Linux's; the mapping is zero-filled.
  int64_t map(uint64_t address, uint64_t size, uint64_t protection, uint64_t flags);
  int64_t unmap(uint64_t address, uint64_t size);
  int64_t protect(uint64_t address, uint64_t size, uint64_t protection);
  int64_t remap(uint64_t address, uint64_t old_size, uint64_t new_size, uint64_t flags,
                uint64_t new_address);
  /// A mapping has something beneath it, which its pages hold after discard().
  void back(uint64_t address, uint64_t size, const Backing& backing);
  /// MADV_DONTNEED: the pages of a range that is mapped hold what is beneath them again, or zeroes.
  /// Shared memory stays as it is.
  void discard(uint64_t address, uint64_t size);
  /// Whether a part of a range that is mapped has something beneath it.
  bool is_backed(uint64_t address, uint64_t size) const;
  /// Whether the pages of a range are mapped: 0, or EINVAL or ENOMEM as a negative number.
  int64_t check_mapped(uint64_t address, uint64_t size) const;

 private:
  bool mapped(uint64_t page) const { return memory_.guest().permissions()[page] != 0; }
  bool all_mapped(uint64_t address, uint64_t size) const;
  bool all_free(uint64_t address, uint64_t size) const;
  uint64_t find_gap(uint64_t size) const;  // 0: none
  void add(uint64_t address, uint64_t size, uint8_t user);
  void drop(uint64_t address, uint64_t size);

  UserMemory& memory_;
  uint64_t limit_;
  uint64_t used_pages_ = 0;
  uint64_t reserved_pages_ = 0;
  uint64_t heap_start_ = 0;
  uint64_t break_ = 0;
  Backings backings_;  // the last: files in memory that it holds give back their pages at the end
};

}  // namespace strobe::isa
