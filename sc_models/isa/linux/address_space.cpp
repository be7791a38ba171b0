#include "sc_models/isa/linux/address_space.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "sc_models/isa/linux/abi.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kPage = GuestMemory::kPageSize;
constexpr uint64_t kMappingTop = AddressSpace::kLowestStack;

uint64_t page_down(uint64_t value) { return value & ~(kPage - 1); }
uint64_t page_up(uint64_t value) { return page_down(value + kPage - 1); }
bool aligned(uint64_t value) { return value % kPage == 0; }

/// `size` rounded up to whole pages; 0 when `size` is 0 or exceeds the user address space.
uint64_t whole_pages(uint64_t size) { return size > STROBE_USER_TOP ? 0 : page_up(size); }

bool is_user_range(uint64_t address, uint64_t size) {
  return address <= STROBE_USER_TOP && size <= STROBE_USER_TOP - address;
}

uint8_t user_bits(uint64_t protection) {
  // RISC-V has no write-only pages, so Linux makes a writable page readable too.
  const bool write = (protection & abi::kProtWrite) != 0;
  return static_cast<uint8_t>((write || (protection & abi::kProtRead) ? GuestMemory::kRead : 0) |
                              (write ? GuestMemory::kWrite : 0) |
                              ((protection & abi::kProtExec) ? GuestMemory::kExecute : 0));
}

constexpr uint8_t kMachine = GuestMemory::kRead | GuestMemory::kWrite;
constexpr uint64_t kProtAll = abi::kProtRead | abi::kProtWrite | abi::kProtExec;

}  // namespace

AddressSpace::AddressSpace(UserMemory& memory, uint64_t program_end, uint64_t limit,
                           bool executable_stack)
    : memory_(memory), limit_(limit), heap_start_(page_up(program_end)), break_(heap_start_) {
  add(STROBE_USER_TOP - kStackSize, kStackSize,
      user_bits(abi::kProtWrite | (executable_stack ? abi::kProtExec : 0)));
}

bool AddressSpace::all_mapped(uint64_t address, uint64_t size) const {
  for (uint64_t page = address / kPage; page < (address + size) / kPage; ++page) {
    if (!mapped(page)) return false;
  }
  return true;
}

bool AddressSpace::all_free(uint64_t address, uint64_t size) const {
  for (uint64_t page = address / kPage; page < (address + size) / kPage; ++page) {
    if (mapped(page)) return false;
  }
  return true;
}

bool AddressSpace::room_for(uint64_t size) const {
  return size <= limit_ && used() <= limit_ - size;
}

bool AddressSpace::reserve(uint64_t pages) {
  if (!room_for(pages * kPage)) return false;
  reserved_pages_ += pages;
  return true;
}

uint64_t AddressSpace::find_gap(uint64_t size) const {
  const uint64_t need = size / kPage;
  const uint64_t lowest = std::max(break_, kLowestMapping) / kPage + 1;
  uint64_t free = 0;
  for (uint64_t page = kMappingTop / kPage; page-- > lowest;) {
    free = mapped(page) ? 0 : free + 1;
    if (free == need) return page * kPage;
  }
  return 0;
}

void AddressSpace::add(uint64_t address, uint64_t size, uint8_t user) {
  memory_.guest().protect(address, size, user, kMachine);
  used_pages_ += size / kPage;
}

void AddressSpace::drop(uint64_t address, uint64_t size) {
  bool any = false;
  for (uint64_t page = address / kPage; page < (address + size) / kPage; ++page) {
    if (!mapped(page)) continue;
    any = true;
    // The pages of the program itself are not counted, so unmapping them frees no room.
    if (page >= heap_start_ / kPage && used_pages_ > 0) --used_pages_;
  }
  if (!any) return;
  backings_.forget(address, size);
  memory_.guest().protect(address, size, 0, 0);
  memory_.wrote(address, size);  // the pages are zero now
}

uint64_t AddressSpace::set_break(uint64_t address) {
  if (address < heap_start_ || address > kMappingTop) return break_;
  const uint64_t old_end = page_up(break_), new_end = page_up(address);
  if (new_end > old_end) {
    if (!room_for(new_end - old_end) || !all_free(old_end, new_end - old_end)) return break_;
    add(old_end, new_end - old_end, user_bits(abi::kProtWrite));
  } else if (new_end < old_end) {
    drop(new_end, old_end - new_end);
  }
  break_ = address;
  return break_;
}

int64_t AddressSpace::map(uint64_t address, uint64_t size, uint64_t protection, uint64_t flags) {
  if (size == 0 || (protection & ~kProtAll) != 0) return -EINVAL;
  const uint64_t bytes = whole_pages(size);
  if (bytes == 0) return -ENOMEM;
  const bool fixed = (flags & (abi::kMapFixed | abi::kMapFixedNoreplace)) != 0;
  uint64_t start = page_down(address);
  if (fixed) {
    if (!aligned(address)) return -EINVAL;
    if (!is_user_range(address, bytes)) return -ENOMEM;
    if (address < kLowestMapping) return -EPERM;
    if ((flags & abi::kMapFixedNoreplace) != 0 && !all_free(address, bytes)) return -EEXIST;
    if (!room_for(bytes)) return -ENOMEM;
    drop(address, bytes);
  } else {
    if (!room_for(bytes)) return -ENOMEM;
    const bool hint_fits = start >= kLowestMapping && start >= break_ &&
                           is_user_range(start, bytes) && start + bytes <= kMappingTop &&
                           all_free(start, bytes);
    if (!hint_fits) start = find_gap(bytes);
    if (start == 0) return -ENOMEM;
  }
  add(start, bytes, user_bits(protection));
  return static_cast<int64_t>(start);
}

int64_t AddressSpace::unmap(uint64_t address, uint64_t size) {
  const uint64_t bytes = whole_pages(size);
  if (!aligned(address) || bytes == 0 || !is_user_range(address, bytes)) return -EINVAL;
  drop(address, bytes);
  return 0;
}

int64_t AddressSpace::check_mapped(uint64_t address, uint64_t size) const {
  if (!aligned(address)) return -EINVAL;
  if (size == 0) return 0;
  const uint64_t bytes = whole_pages(size);
  return bytes != 0 && is_user_range(address, bytes) && all_mapped(address, bytes) ? 0 : -ENOMEM;
}

int64_t AddressSpace::protect(uint64_t address, uint64_t size, uint64_t protection) {
  if ((protection & ~(kProtAll | abi::kProtSemaphore)) != 0) return -EINVAL;
  if (const int64_t error = check_mapped(address, size)) return error;
  if (size == 0) return 0;
  memory_.guest().protect(address, whole_pages(size), user_bits(protection), kMachine);
  return 0;
}

int64_t AddressSpace::remap(uint64_t address, uint64_t old_size, uint64_t new_size, uint64_t flags,
                            uint64_t new_address) {
  const bool fixed = (flags & abi::kRemapFixed) != 0;
  const uint64_t from = whole_pages(old_size), to = whole_pages(new_size);
  if (!aligned(address) || new_size == 0 || old_size == 0 ||
      (flags & ~(abi::kRemapMayMove | abi::kRemapFixed)) != 0 ||
      (fixed && (flags & abi::kRemapMayMove) == 0)) {
    return -EINVAL;
  }
  if (to == 0) return -ENOMEM;
  if (from == 0 || !is_user_range(address, from) || !all_mapped(address, from)) return -EFAULT;
  const uint64_t growth = to > from ? to - from : 0;
  if (!room_for(growth)) return -ENOMEM;
  const uint8_t* permissions = memory_.guest().permissions();
  const auto last_user = static_cast<uint8_t>(permissions[(address + from) / kPage - 1] & 7);

  if (!fixed) {
    if (to <= from) {
      if (to < from) drop(address + to, from - to);
      return static_cast<int64_t>(address);
    }
    if (is_user_range(address, to) && address + to <= kMappingTop &&
        all_free(address + from, growth)) {
      add(address + from, growth, last_user);
      return static_cast<int64_t>(address);
    }
    if ((flags & abi::kRemapMayMove) == 0) return -ENOMEM;
    new_address = find_gap(to);
    if (new_address == 0) return -ENOMEM;
  } else {
    if (!aligned(new_address) || !is_user_range(new_address, to) ||
        (new_address < address + from && address < new_address + to)) {
      return -EINVAL;
    }
    if (new_address < kLowestMapping) return -EPERM;
    drop(new_address, to);
  }
  const uint64_t kept = std::min(from, to);
  const std::vector<uint8_t> old(permissions + address / kPage,
                                 permissions + (address + kept) / kPage);
  add(new_address, to, last_user);
  for (size_t i = 0; i < old.size(); ++i) {
    const auto user = static_cast<uint8_t>(old[i] & 7);
    if (user != last_user) {
      memory_.guest().protect(new_address + i * kPage, kPage, user, kMachine);
    }
  }
  std::memcpy(memory_.at(new_address), memory_.at(address), kept);
  memory_.wrote(new_address, kept);
  backings_.copy(address, new_address, kept);
  drop(address, from);
  return static_cast<int64_t>(new_address);
}

void AddressSpace::back(uint64_t address, uint64_t size, const Backing& backing) {
  backings_.add(address, page_up(size), backing);
}

bool AddressSpace::is_backed(uint64_t address, uint64_t size) const {
  bool any = false;
  backings_.for_each(address, page_up(size), [&](uint64_t, uint64_t, const Backing* backing) {
    any = any || backing != nullptr;
  });
  return any;
}

void AddressSpace::discard(uint64_t address, uint64_t size) {
  const auto refill = [this](uint64_t at, uint64_t bytes, const Backing* backing) {
    if (backing != nullptr && backing->source == nullptr) return;
    std::memset(memory_.at(at), 0, bytes);
    if (backing != nullptr) (*backing->source)(backing->offset, memory_.at(at), bytes);
    memory_.wrote(at, bytes);
  };
  backings_.for_each(address, page_up(size), refill);
}

}  // namespace strobe::isa
