// A server that serves one request at a time, in the order of arrival.
//
// Requests need not be presented in the order of their arrival, because a core presents them in
// program order and several cores are simulated one after the other. A request waits for those that
// arrived before it, whenever they were presented. Requests that arrived later but were presented
// earlier keep their answers. Requests that arrive after those, however, wait as if the later ones
// had been served after this one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace strobe::memory {

class Reservations {
 public:
  /// @param length  cycles that each request takes
  explicit Reservations(uint64_t length) : length_(length) {}

  /// A request arrives in cycle `arrival`. Returns the cycle in which it is served.
  uint64_t take(uint64_t arrival) {
    if (count_ == kMost) forget_oldest();
    size_t place = count_++;
    for (; place > 0 && served_[place - 1].arrival > arrival; --place) {
      served_[place] = served_[place - 1];
    }
    const uint64_t free_at = place > 0 ? served_[place - 1].start + length_ : forgotten_until_;
    const uint64_t start = std::max(arrival, free_at);
    served_[place] = {arrival, start};
    uint64_t end = start + length_;
    for (size_t i = place + 1; i < count_ && served_[i].start < end; ++i, end += length_) {
      served_[i].start = end;
    }
    return start;
  }
  /// The cycle in which the last request has been served.
  uint64_t until() const { return count_ == 0 ? 0 : served_[count_ - 1].start + length_; }

 private:
  static constexpr size_t kMost = 64;  // no request arrives before the forgotten ones
  struct Served {
    uint64_t arrival, start;
  };

  void forget_oldest() {
    constexpr size_t kForgotten = kMost / 2;
    forgotten_until_ = served_[kForgotten - 1].start + length_;
    std::copy(served_.begin() + kForgotten, served_.end(), served_.begin());
    count_ -= kForgotten;
  }

  uint64_t length_;
  std::array<Served, kMost> served_{};  // in the order of arrival
  size_t count_ = 0;
  uint64_t forgotten_until_ = 0;
};

}  // namespace strobe::memory
