// The message buffer, cycle by cycle. docs/blocks/message_buffer.md
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/port/tuple.h"

namespace strobe::profiling {

/// A FIFO of messages that software empties. A full buffer is not ready, even in a cycle with a
/// pop.
class MessageBuffer {
 public:
  struct Inputs {
    bool clear = false;
    bool valid = false;  // a message is offered
    Message message;
    bool pop = false;
  };
  struct Outputs {  // from state
    bool ready = false;
    bool valid = false;  // there is a head
    Message head;
    bool arriving = false;
    uint32_t level = 0;
    uint32_t high_water = 0;
  };

  /// @param depth  messages it holds, a power of two from 2 to 4096
  /// Throws std::invalid_argument for a parameter out of range.
  explicit MessageBuffer(unsigned depth);

  /// One clock cycle: gives the outputs, then takes the edge.
  Outputs step(const Inputs& inputs);
  Outputs outputs() const {
    return Outputs{ready(), valid(), head(), arriving(), level_, high_water_};
  }

  bool ready() const { return level_ != messages_.size(); }
  bool valid() const { return head_; }
  /// There is no head yet, but a message on its way to it.
  bool arriving() const { return !head_ && level_ != 0; }
  uint32_t level() const { return level_; }
  uint32_t high_water() const { return high_water_; }
  Message head() const { return head_ ? messages_[first_] : Message{}; }

  /// The edge alone. Pushes `message` unless it is nullptr or the buffer is full.
  void advance(const Message* message, bool pop);
  /// Several edges without push or pop.
  void rest(uint64_t cycles) {
    for (; cycles != 0 && !settled(); --cycles) advance(nullptr, false);
  }
  void clear();

 private:
  uint32_t in_store() const { return level_ - (head_ ? 1 : 0) - (next_ ? 1 : 0); }
  /// True when another cycle without push or pop changes nothing.
  bool settled() const { return level_ == 0 || (head_ && (next_ || level_ == 1)); }

  std::vector<Message> messages_;  // in all three places; the oldest is at `first_`
  uint32_t first_ = 0;
  uint32_t level_ = 0;
  bool head_ = false, next_ = false;  // whether the head and the place after it hold a message
  uint32_t high_water_ = 0;
};

}  // namespace strobe::profiling
