// The message merge: the banks' messages in turn. docs/blocks/bank_router.md
#pragma once

#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/bank_router.h"

namespace strobe::profiling {

class MessageMerge {
 public:
  struct Inputs {
    bool clear = false;
    bool valid[kMaxBanks] = {};
    Message message[kMaxBanks];
    bool ready = false;
  };
  struct Outputs {  // combinational
    bool valid = false;
    Message message;
    bool ready[kMaxBanks] = {};
  };

  /// @param banks  a power of two, 1 to 8. Throws std::invalid_argument outside.
  explicit MessageMerge(unsigned banks);

  Outputs step(const Inputs& inputs);

  /// The input that is chosen of the valid ones, `banks` when there is none.
  unsigned chosen(const bool* valid) const;
  /// The message of this input goes out.
  void pass(unsigned bank) { turn_ = (bank + 1) % banks_; }
  void clear() { turn_ = 0; }

 private:
  unsigned banks_;
  unsigned turn_ = 0;
};

}  // namespace strobe::profiling
