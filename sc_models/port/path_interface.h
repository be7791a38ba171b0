// The profiling path as the platform sees it, whatever computes it: RTL, reference, or both.
// docs/blocks/profiling_path.md is the contract.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "sc_models/port/path_params.h"
#include "sc_models/port/retire.h"

namespace strobe::profiling {

/// The RVFI fields the path looks at.
struct RetireLane {
  bool valid = false;
  bool trap = false;
  bool mispredicted = false;
  bool in_burst = false;                 // a burst of the decode engine was on
  uint8_t mode = 0;                      // 0 user, 1 supervisor, 3 machine
  static constexpr uint16_t thread = 0;  // the port is shown only the threads that are selected
  uint32_t insn = 0;
  uint64_t pc_rdata = 0, pc_wdata = 0, rd_wdata = 0, mem_addr = 0;
};

struct PathInputs {
  RetireLane lane[kMaxRetireWidth];
  bool profile_en = true;  // false: none of them is selected, whatever the registers say
  bool reg_re = false, reg_we = false;
  uint16_t reg_addr = 0;
  uint64_t reg_wdata = 0;
  bool mem_ready = false;  // memory takes the ring writer's word in this cycle
  bool mem_idle = true;    // it has written every word that it took in an earlier one
};

struct PathOutputs {
  uint64_t reg_rdata = 0;
  bool reg_error = false;
  bool irq = false;
  bool idle = false;
  bool mem_valid = false;  // the ring writer has a word for memory
  uint64_t mem_addr = 0, mem_data = 0;
};

class ProfilerPath {
 public:
  virtual ~ProfilerPath() = default;
  /// One clock cycle: the outputs of this cycle, then the edge.
  virtual PathOutputs step(const PathInputs& inputs) = 0;
  /// The combinational outputs for a register address in the present state, without an edge.
  virtual PathOutputs peek(uint16_t reg_addr) = 0;
  /// Lets `cycles` cycles pass with no input at all; the caller guarantees `idle` and that the irq
  /// cannot change. Implementations may skip what changes nothing.
  virtual void skip(uint64_t cycles) = 0;
  /// Back to the state after reset.
  virtual void reset() = 0;
  /// For a path that knows what it will do without being stepped. First skip(idle). Then one clock
  /// cycle in which the `count` picked instructions retire and nothing else comes in, if the
  /// interrupt stays as it is until the next other input, however late that is. Cycles without any
  /// input may follow by skip().
  /// @return cycles after which the path is idle and settled, at the most; 0: the one cycle has not
  ///         happened, step() is due
  virtual unsigned absorb(uint64_t idle, const RetireRecord* const* /*picked*/,
                          unsigned /*count*/) {
    if (idle != 0) skip(idle);
    return 0;
  }
  virtual const PathParams& params() const = 0;
};

/// The two implementations differ: a message names cycle, signal and both values.
class LockstepError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Fidelity { kRtl, kModel, kLockstep };

/// The waveforms of the RTL in the cycles [from, to), counted in steps and skipped cycles
/// since the path was made.
struct WaveRequest {
  std::string file;  // .vcd or .fst decides the format; empty: none
  uint64_t from = 0, to = 0;
};

}  // namespace strobe::profiling
