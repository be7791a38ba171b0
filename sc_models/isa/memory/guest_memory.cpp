#include "sc_models/isa/memory/guest_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <string>

namespace strobe::isa {

GuestMemory::GuestMemory() : permissions_(kSpan >> kPageBits, 0) {
  void* p = mmap(nullptr, kSpan, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    throw std::runtime_error("guest memory: cannot reserve 4 GiB of address space: " +
                             std::string(std::strerror(errno)) + "; raise 'ulimit -v'");
  }
  data_ = static_cast<uint8_t*>(p);
}

GuestMemory::~GuestMemory() { munmap(data_, kSpan); }

void GuestMemory::protect(uint64_t address, uint64_t size, uint8_t user, uint8_t machine) {
  if (size == 0 || address >= kSpan) return;
  const uint64_t first = address >> kPageBits;
  const uint64_t last = (address + std::min(size, kSpan - address) - 1) >> kPageBits;
  const uint8_t bits = static_cast<uint8_t>((user & 7) | ((machine & 7) << 3));
  const uint8_t executable = (kExecute << 3) | kExecute;
  if ((bits & executable) != 0 || any_executable(first, last)) ++code_epoch_;
  std::fill(permissions_.begin() + static_cast<ptrdiff_t>(first),
            permissions_.begin() + static_cast<ptrdiff_t>(last) + 1, bits);
  if (bits == 0) {
    madvise(data_ + (first << kPageBits), (last - first + 1) << kPageBits, MADV_DONTNEED);
  }
}

bool GuestMemory::any_executable(uint64_t first_page, uint64_t last_page) const {
  const uint8_t executable = (kExecute << 3) | kExecute;
  for (uint64_t page = first_page; page <= last_page; ++page) {
    if ((permissions_[page] & executable) != 0) return true;
  }
  return false;
}

bool GuestMemory::user_may(uint64_t address, uint64_t size, uint8_t need) const {
  if (size == 0) return true;
  if (address >= kSpan || size > kSpan - address) return false;
  for (uint64_t page = address >> kPageBits; page <= (address + size - 1) >> kPageBits; ++page) {
    if ((permissions_[page] & need) != need) return false;
  }
  return true;
}

bool GuestMemory::read(uint64_t address, void* to, size_t size) const {
  if (address >= kSpan || size > kSpan - address) return false;
  std::memcpy(to, data_ + address, size);
  return true;
}

bool GuestMemory::write(uint64_t address, const void* from, size_t size) {
  if (address >= kSpan || size > kSpan - address) return false;
  std::memcpy(data_ + address, from, size);
  if (size != 0 && any_executable(address >> kPageBits, (address + size - 1) >> kPageBits)) {
    ++code_epoch_;
  }
  if (size != 0) break_reservations(address, size, nullptr);
  return true;
}

void GuestMemory::remove_reservation(uint64_t* reservation) {
  reservations_.erase(std::remove(reservations_.begin(), reservations_.end(), reservation),
                      reservations_.end());
}

void GuestMemory::break_reservations(uint64_t address, uint64_t size, const uint64_t* keep) {
  const uint64_t first = address >> kReservationBits;
  const uint64_t last = (address + size - 1) >> kReservationBits;
  for (uint64_t* reservation : reservations_) {
    const uint64_t place = *reservation >> kReservationBits;
    if (reservation != keep && place >= first && place <= last) *reservation = ~uint64_t{0};
  }
}

}  // namespace strobe::isa
