// Branch prediction: direction (static, bimodal, gshare), target buffer, return-address stack.
//
// History and return stack are updated speculatively at fetch and put back from a checkpoint;
// counters and target buffer learn at commit. Kind `perfect` needs no table: fetch asks the hart
// itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/core/params.h"
#include "sc_models/isa/decoded.h"

namespace strobe::core {

enum class PredictorKind : uint8_t { kPerfect, kStatic, kBimodal, kGshare };

/// Throws std::invalid_argument naming the kinds there are.
PredictorKind predictor_kind(const std::string& name);

/// What has to be put back when younger instructions are squashed.
struct Checkpoint {
  uint64_t history = 0;
  uint64_t ras_value = 0;  // the entry at the top, which a wrong-path call may have overwritten
  uint32_t ras_top = 0;
};

struct Prediction {
  uint64_t next = 0;   // address fetched next
  uint32_t index = 0;  // of the direction counter, for train()
  bool taken = false;
  bool needs_target = false;  // taken, direct, not in the target buffer: decode computes the target
};

class Predictor {
 public:
  /// Throws std::invalid_argument when a size is not usable.
  explicit Predictor(const PredictorParams& params);

  PredictorKind kind() const { return kind_; }

  /// Predicts the control instruction at `pc` and updates history and return stack.
  Prediction predict(const isa::DecodedInsn& insn, uint64_t pc);

  Checkpoint checkpoint() const { return {history_, ras_[ras_top_], ras_top_}; }
  void restore(const Checkpoint& state);
  /// Restores `before`, then applies what the instruction really did.
  void resolve(const Checkpoint& before, OpClass opclass, uint64_t fall_through, bool taken);

  /// Learns at commit, in program order.
  void train(OpClass opclass, uint64_t pc, uint32_t index, bool taken, uint64_t target);

 private:
  struct Target {
    uint64_t pc = ~uint64_t{0};
    uint64_t target = 0;
  };
  bool direction(const isa::DecodedInsn& insn, uint64_t pc, uint32_t& index) const;
  const Target* find_target(uint64_t pc);
  void note(OpClass opclass, uint64_t fall_through, bool taken);  // history and return stack

  PredictorKind kind_;
  unsigned btb_ways_;
  uint64_t btb_mask_ = 0, table_mask_ = 0, history_mask_ = 0;
  uint64_t history_ = 0;
  uint32_t ras_top_ = 0;
  std::vector<uint8_t> counters_;
  std::vector<Target> btb_;  // way 0 of a set is the most recently used
  std::vector<uint64_t> ras_;
};

}  // namespace strobe::core
