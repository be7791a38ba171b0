// Reads the profile that the firmware built, at the table's symbol in the guest's memory or in a
// copy of it.
// It is for the host: a header that uses only the standard library.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "sw/guest/include/strobe/abi.h"

namespace strobe::guest {

/// The size of a whole table in guest memory, in bytes.
constexpr uint64_t kProfileTableBytes =
    sizeof(strobe_profile_table_t) +
    uint64_t{STROBE_PROFILE_CAPACITY} * sizeof(strobe_profile_entry_t);

/// A view of a table. The memory that it reads must outlive the reader.
class ProfileReader {
 public:
  /// Copies `size` bytes of the table, from `offset` on; may throw.
  using Read = std::function<void(uint64_t offset, void* to, uint64_t size)>;

  /// @param size  bytes at `image`, at least kProfileTableBytes; they need no alignment.
  /// Throws std::runtime_error when the image is too small or its head is invalid.
  ProfileReader(const void* image, uint64_t size) : ProfileReader(of_image(image, size)) {}
  /// The same for a table that is not contiguous in host memory: reads a few entries at a time.
  explicit ProfileReader(Read read) : read_(std::move(read)) {
    read_(0, &head_, sizeof head_);
    if (head_.capacity != STROBE_PROFILE_CAPACITY) {
      fail(
          "a capacity of " + std::to_string(STROBE_PROFILE_CAPACITY) + " (did the firmware start?)",
          std::to_string(head_.capacity));
    }
    if (head_.used > head_.capacity) {
      fail("at most " + std::to_string(head_.capacity) + " entries", std::to_string(head_.used));
    }
  }

  uint64_t used() const { return head_.used; }                    // entries
  uint64_t lost_messages() const { return head_.lost_messages; }  // the table was full
  uint64_t lost_count() const { return head_.lost_count; }        // the counts of those messages

  /// Calls visit(pc, value, tag, count) for each entry, in the order of the table.
  /// Throws std::runtime_error after the last call when the number of entries is not used().
  template <class Visit>
  void for_each(Visit visit) const {
    uint64_t seen = 0;
    std::array<strobe_profile_entry_t, 128> entries;
    for (uint64_t first = 0; first < head_.capacity; first += entries.size()) {
      const uint64_t count = std::min<uint64_t>(entries.size(), head_.capacity - first);
      read_(sizeof head_ + first * sizeof entries[0], entries.data(), count * sizeof entries[0]);
      for (uint64_t i = 0; i < count; ++i) {
        const strobe_profile_entry_t& entry = entries[i];
        if ((entry.tag_used & STROBE_PROFILE_USED) == 0) continue;
        ++seen;
        visit(entry.pc, entry.value, static_cast<unsigned>(entry.tag_used & 0xf), entry.count);
      }
    }
    if (seen != head_.used) fail(std::to_string(head_.used) + " entries", std::to_string(seen));
  }

 private:
  // The table without its entries.
  struct Head {
    uint64_t capacity, used, lost_messages, lost_count;
  };
  static_assert(sizeof(Head) == sizeof(strobe_profile_table_t), "the head of the table");

  static Read of_image(const void* image, uint64_t size) {
    if (size < kProfileTableBytes) {
      fail("an image of " + std::to_string(kProfileTableBytes) + " bytes", std::to_string(size));
    }
    return [image](uint64_t offset, void* to, uint64_t count) {
      std::memcpy(to, static_cast<const unsigned char*>(image) + offset, count);
    };
  }
  [[noreturn]] static void fail(const std::string& expected, const std::string& got) {
    throw std::runtime_error("the profile table in guest memory is damaged: expected " + expected +
                             ", got " + got);
  }

  Read read_;
  Head head_;
};

}  // namespace strobe::guest
