// The bank router, cycle by cycle: spreads a group of tuples over banks. docs/blocks/bank_router.md
#pragma once

#include <cstdint>

#include "sc_models/port/retire.h"
#include "sc_models/port/tuple.h"

namespace strobe::profiling {

inline constexpr unsigned kMaxBanks = 8;

/// Holds a group until each of its tuples has gone to the register of its bank; tuples for one bank
/// go in lane order, one a cycle. A tuple's bank is the low bits of its index, its row the bits
/// above.
class BankRouter {
 public:
  struct Inputs {
    bool clear = false;
    bool valid[kMaxRetireWidth] = {};
    Tuple tuple[kMaxRetireWidth];
    uint16_t index[kMaxRetireWidth] = {};
    bool ready[kMaxBanks] = {};
  };
  struct Outputs {
    bool ready = false;  // combinational from the banks' ready; the others from state
    bool valid[kMaxBanks] = {};
    Tuple tuple[kMaxBanks];
    uint16_t row[kMaxBanks] = {};
    bool idle = true;
  };

  /// @param lanes  tuples of a group, 1 to 8
  /// @param banks  a power of two, 1 to 8
  /// Throws std::invalid_argument for a parameter out of range.
  BankRouter(unsigned lanes, unsigned banks);

  /// One clock cycle: gives the outputs, then takes the edge.
  Outputs step(const Inputs& inputs);
  /// The outputs of this cycle; `ready` has one entry for each bank.
  Outputs outputs(const bool* ready) const;
  bool idle() const;
  void clear();

 private:
  struct Register {  // the output of one bank
    bool valid = false;
    Tuple tuple;
    uint16_t row = 0;
  };

  unsigned bank_of(unsigned lane) const { return index_[lane] & (banks_ - 1); }
  int lane_for(unsigned bank) const;  // -1: no pending lane has this bank

  unsigned lanes_, banks_, bank_bits_ = 0;
  bool pending_[kMaxRetireWidth] = {};  // the group
  Tuple tuple_[kMaxRetireWidth];
  uint16_t index_[kMaxRetireWidth] = {};
  Register register_[kMaxBanks];
};

}  // namespace strobe::profiling
