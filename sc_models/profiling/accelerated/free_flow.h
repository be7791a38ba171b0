// Tuples on their way through a path in which nothing holds them up: when each of them leaves the
// queue is known as soon as it is selected, so the blocks need not be stepped in between.
//
// A tuple selected in cycle s is at the queue's head in cycle s + 4, or in the cycle after that of
// the tuple before it. From there the sampler counts it two cycles later, and its message, if there
// is one, is pushed in the third.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sc_models/port/tuple.h"

namespace strobe::profiling {

class FreeFlow {
 public:
  static constexpr int64_t kReaching = 4;  // cycles from selection to the queue's head
  static constexpr int64_t kCounting = 2;  // from there to the counter
  static constexpr int64_t kMessage = 3;   // to the push of its message
  static constexpr uint32_t kRoom = 64;    // tuples it can hold

  struct Tagged {
    Tuple tuple;
    int64_t selected = 0;  // in which cycle
    int64_t taken = 0;     // from the head
  };

  bool on() const { return on_; }
  /// @param messages  that may be made before software or the interrupt would show it
  /// @param queued  tuples that the queue can hold, whatever their rows
  void begin(uint32_t messages, uint32_t queued) {
    on_ = true;
    now_ = 0;
    last_taken_ = busy_until_ = -1;
    messages_ = messages;
    queued_ = queued;
    head_ = tail_ = 0;
  }
  void end() { on_ = false; }

  /// The cycle that comes next, counted from the beginning.
  int64_t now() const { return now_; }
  void pass(uint64_t cycles) { now_ += static_cast<int64_t>(cycles); }

  /// Whether `count` more can be selected now and be sure to change nothing that can be seen.
  bool has_room(uint32_t count) const {
    return held() + count <= kRoom && held() + count < messages_ &&
           last_taken_ + count - now_ < static_cast<int64_t>(queued_);
  }
  void select(const Tuple& tuple) {
    last_taken_ = std::max(last_taken_ + 1, now_ + kReaching);
    tuples_[tail_++ % kRoom] = {tuple, now_, last_taken_};
  }
  /// Cycles until the last one is through and the table has been read after it.
  unsigned cycles_left() const {
    const int64_t left = last_taken_ + kMessage + 4 - now_;
    return left > 0 ? static_cast<unsigned>(left) : 0;
  }

  uint32_t held() const { return tail_ - head_; }
  const Tagged& oldest() const { return tuples_[head_ % kRoom]; }
  void drop_oldest() { ++head_; }

  /// Cycles before `at` in which the sampler has been at rest, after those that are through.
  int64_t rest_before(int64_t at) const { return at - 1 - busy_until_; }
  /// Counts and drops those that are through, the oldest first. @return how many
  /// @param count  called with each one and whether the sampler has been at rest before it;
  ///               returns whether it made a message
  template <class Count>
  uint32_t count_through(Count count) {
    const uint32_t first = head_;
    uint32_t head = first;  // in registers, as the next
    int64_t busy_until = busy_until_;
    for (; head != tail_; ++head) {
      const Tagged& oldest = tuples_[head % kRoom];
      if (oldest.taken + kMessage >= now_) break;
      const bool message = count(oldest, oldest.taken - 1 > busy_until);
      busy_until = oldest.taken + (message ? kMessage : kCounting);
      if (message) --messages_;
    }
    head_ = head;
    busy_until_ = busy_until;
    return head - first;
  }

 private:
  bool on_ = false;
  int64_t now_ = 0;
  int64_t last_taken_ = -1;
  int64_t busy_until_ = -1;  // the sampler, with those that are through
  uint32_t messages_ = 0, queued_ = 0;
  uint32_t head_ = 0, tail_ = 0;
  std::array<Tagged, kRoom> tuples_;
};

}  // namespace strobe::profiling
