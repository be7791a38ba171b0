// The message merge, cycle by cycle: takes the banks' messages in turn. docs/blocks/bank_router.md
#pragma once

#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/sampler/bank_router.h"

namespace strobe::profiling {

/// Round robin over the banks. The turn is state, so no ready depends on another bank's valid.
class MessageMerge {
 public:
  struct Inputs {
    bool clear = false;
    bool valid[kMaxBanks] = {};
    Message message[kMaxBanks];
    bool ready = false;
  };
  struct Outputs {  // combinational, from the bank whose turn it is
    bool valid = false;
    Message message;
    bool ready[kMaxBanks] = {};
  };

  /// @param banks  a power of two, 1 to 8
  /// Throws std::invalid_argument for a parameter out of range.
  explicit MessageMerge(unsigned banks);

  /// One clock cycle: gives the outputs, then takes the edge.
  Outputs step(const Inputs& inputs);

  /// The bank whose turn it is; it may have no message.
  unsigned turn() const { return turn_; }
  /// The edge alone.
  void advance(const bool* valid, bool ready);
  void clear() { turn_ = 0; }

 private:
  unsigned banks_;
  unsigned turn_ = 0;
};

}  // namespace strobe::profiling
