// Reads the profile the firmware built, from a copy of the guest's memory at the table's symbol.
// For the host; header only, standard library only.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "sw/guest/include/strobe/abi.h"

namespace strobe::guest {

/// Bytes of a whole table in guest memory.
constexpr uint64_t kProfileTableBytes =
    sizeof(strobe_profile_table_t) +
    uint64_t{STROBE_PROFILE_CAPACITY} * sizeof(strobe_profile_entry_t);

/// A view of a table in host memory. The bytes must outlive the reader; they need no alignment.
class ProfileReader {
 public:
  /// @param size  bytes at `image`, at least kProfileTableBytes.
  /// Throws std::runtime_error when the image is too small or its head makes no sense.
  ProfileReader(const void* image, uint64_t size)
      : bytes_(static_cast<const unsigned char*>(image)) {
    if (size < kProfileTableBytes) {
      fail("an image of " + std::to_string(kProfileTableBytes) + " bytes", std::to_string(size));
    }
    std::memcpy(&head_, bytes_, sizeof head_);
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
  uint64_t lost_count() const { return head_.lost_count; }        // what they carried

  /// Calls visit(pc, value, tag, count) for each entry, in the order of the table.
  /// Throws std::runtime_error, after the last call, when there are not used() entries.
  template <class Visit>
  void for_each(Visit visit) const {
    uint64_t seen = 0;
    const unsigned char* at = bytes_ + sizeof head_;
    for (uint64_t i = 0; i < head_.capacity; ++i, at += sizeof(strobe_profile_entry_t)) {
      strobe_profile_entry_t entry;
      std::memcpy(&entry, at, sizeof entry);
      if ((entry.tag_used & STROBE_PROFILE_USED) == 0) continue;
      ++seen;
      visit(entry.pc, entry.value, static_cast<unsigned>(entry.tag_used & 0xf), entry.count);
    }
    if (seen != head_.used) fail(std::to_string(head_.used) + " entries", std::to_string(seen));
  }

 private:
  // The table without its entries.
  struct Head {
    uint64_t capacity, used, lost_messages, lost_count;
  };
  static_assert(sizeof(Head) == sizeof(strobe_profile_table_t), "the head of the table");

  [[noreturn]] static void fail(const std::string& expected, const std::string& got) {
    throw std::runtime_error("the profile table in guest memory is damaged: expected " + expected +
                             ", got " + got);
  }

  const unsigned char* bytes_;
  Head head_;
};

}  // namespace strobe::guest
