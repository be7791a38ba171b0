#include "sc_models/isa/linux/user_memory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace strobe::isa {

namespace {
constexpr uint64_t kLongestPath = 4096;  // with its NUL
}

uint64_t UserMemory::accessible(uint64_t address, uint64_t size, uint8_t need) const {
  if (address >= STROBE_USER_TOP) return 0;
  const uint64_t end = address + std::min<uint64_t>(size, STROBE_USER_TOP - address);
  uint64_t good = address;
  while (good < end && (memory_.permissions()[good >> GuestMemory::kPageBits] & need) == need) {
    good = std::min(end, (good | (GuestMemory::kPageSize - 1)) + 1);
  }
  return good - address;
}

bool UserMemory::copy_in(void* to, uint64_t address, uint64_t size) const {
  if (accessible(address, size, GuestMemory::kRead) != size) return false;
  if (size != 0) std::memcpy(to, memory_.data() + address, size);
  return true;
}

bool UserMemory::copy_out(uint64_t address, const void* from, uint64_t size) {
  if (accessible(address, size, GuestMemory::kWrite) != size) return false;
  if (size != 0) std::memcpy(memory_.data() + address, from, size);
  wrote(address, size);
  return true;
}

int UserMemory::get_path(std::string& text, uint64_t address) const {
  const uint64_t readable = accessible(address, kLongestPath, GuestMemory::kRead);
  const auto* start = reinterpret_cast<const char*>(memory_.data() + (readable ? address : 0));
  const void* end = readable ? std::memchr(start, 0, readable) : nullptr;
  if (end == nullptr) return readable == kLongestPath ? ENAMETOOLONG : EFAULT;
  text.assign(start, static_cast<const char*>(end));
  return 0;
}

void UserMemory::wrote(uint64_t address, uint64_t size) {
  if (size == 0) return;
  written_.emplace_back(address, size);
  code_changed(address, size);
}

void UserMemory::code_changed(uint64_t address, uint64_t size) {
  const uint8_t* permissions = memory_.permissions();
  const uint64_t last = (address + size - 1) >> GuestMemory::kPageBits;
  for (uint64_t page = address >> GuestMemory::kPageBits; page <= last; ++page) {
    if ((permissions[page] & GuestMemory::kExecute) == 0) continue;
    // The permissions stay the same; the call only makes the code's epoch rise.
    memory_.protect(page << GuestMemory::kPageBits, 1, permissions[page] & 7,
                    static_cast<uint8_t>(permissions[page] >> 3));
    return;
  }
}

}  // namespace strobe::isa
