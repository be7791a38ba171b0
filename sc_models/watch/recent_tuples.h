// The tuples that an exhaustive profile saw last, looked at first: most events repeat one of them,
// which is then counted here, without a search.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sc_models/port/tuple.h"
#include "sw/profile/counts/exhaustive_profile.h"

namespace strobe::platform {

/// A direct-mapped table. Its counts go to the profile when a tuple has to make room, and with
/// flush(): before it they are missing there.
class RecentTuples {
 public:
  /// Counts a tuple that is here: true, and its number in the profile.
  bool count(const Tuple& tuple, uint32_t& number) {
    Entry& entry = entries_[place(tuple)];
    if (entry.pc != tuple.pc || entry.value != tuple.value || entry.tag != tuple.tag) return false;
    ++entry.count;
    number = entry.number;
    return true;
  }
  /// Takes in a tuple that the profile has just counted.
  void put(const Tuple& tuple, uint32_t number, profile::ExhaustiveProfile& profile) {
    Entry& entry = entries_[place(tuple)];
    profile.add(entry.tuple(), entry.count);
    entry = {tuple.pc, tuple.value, 0, number, tuple.tag};
  }
  /// Its counts to the profile, and all tuples away.
  void flush(profile::ExhaustiveProfile& profile) {
    for (Entry& entry : entries_) {
      profile.add(entry.tuple(), entry.count);
      entry = Entry();
    }
  }

 private:
  static constexpr unsigned kPlaceBits = 9;
  static constexpr uint16_t kEmpty = 0x100;  // no tag

  struct Entry {
    uint64_t pc = 0, value = 0;
    uint64_t count = 0;  // that the profile does not have yet
    uint32_t number = 0;
    uint16_t tag = kEmpty;

    Tuple tuple() const { return {pc, value, static_cast<uint8_t>(tag)}; }
  };

  // The constants are odd and of no other meaning.
  static size_t place(const Tuple& tuple) {
    return (tuple.pc * 0x9e3779b97f4a7c15u + tuple.value * 0xd6e8feb86659fd93u) >>
           (64 - kPlaceBits);
  }

  std::array<Entry, size_t{1} << kPlaceBits> entries_;
};

}  // namespace strobe::platform
