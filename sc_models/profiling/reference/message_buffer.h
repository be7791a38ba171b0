// The message buffer: holds messages until software takes them. docs/blocks/message_buffer.md
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/port/tuple.h"

namespace strobe::profiling {

class MessageBuffer {
 public:
  struct Inputs {
    bool clear = false;
    bool valid = false;  // a message is offered
    Message message;
    bool pop = false;
  };
  struct Outputs {  // all from state
    bool ready = false;
    bool valid = false;
    Message head;
    uint32_t level = 0;
    uint32_t high_water = 0;
  };

  /// @param depth  a power of two, 2 to 4096. Throws std::invalid_argument outside.
  explicit MessageBuffer(unsigned depth);

  Outputs step(const Inputs& inputs);
  Outputs outputs() const { return Outputs{ready(), level_ != 0, head(), level_, high_water_}; }

  bool ready() const { return level_ != store_.size(); }
  uint32_t level() const { return level_; }
  uint32_t high_water() const { return high_water_; }
  Message head() const { return level_ != 0 ? store_[first_] : Message{}; }

  /// The edge alone: pushes `message` unless it is nullptr or the buffer is full.
  void advance(const Message* message, bool pop);
  void clear();

 private:
  std::vector<Message> store_;
  uint32_t first_ = 0;
  uint32_t level_ = 0;
  uint32_t high_water_ = 0;
};

}  // namespace strobe::profiling
