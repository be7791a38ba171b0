// Branch prediction: direction (sc_models/core/predictors), target buffer, return-address stack.
//
// History and return stack are updated speculatively at fetch and put back from a checkpoint;
// tables and target buffer learn at commit. Kind `perfect` needs no table: fetch asks the hart
// itself. Isolation says what machine mode does to the program's prediction.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sc_models/core/params.h"
#include "sc_models/core/predictors/direction.h"
#include "sc_models/isa/decode/decoded.h"

namespace strobe::core {

/// What has to be put back when younger instructions are squashed.
struct Checkpoint {
  uint64_t history = 0;    // as the direction predictor understands it
  uint64_t ras_value = 0;  // the entry at the top, which a wrong-path call may have overwritten
  uint32_t ras_top = 0;
};

struct Prediction {
  uint64_t next = 0;   // address fetched next
  uint32_t index = 0;  // the direction predictor's, for train()
  bool taken = false;
  bool needs_target = false;  // taken, direct, not in the target buffer: decode computes the target
};

class Predictor {
 public:
  /// Throws std::invalid_argument when a size is not usable or the kind is not known.
  /// @param in_flight  the most instructions between fetch and commit
  explicit Predictor(const PredictorParams& params, unsigned in_flight = 256);

  /// The predictor of another hart on the same core: it shares direction tables and target buffer;
  /// history and return stack are its own.
  Predictor sibling() const;

  /// Nothing is predicted: fetch asks the hart.
  bool perfect() const { return direction_ == nullptr; }
  /// State of the direction predictor; target buffer and return stack are not in it.
  uint64_t direction_bits() const { return direction_ ? direction_->storage_bits() : 0; }

  /// What is predicted, restored and resolved from now on is of machine mode, or of user mode.
  void enter(bool machine) {
    if (machine != machine_) change_mode(machine);
  }
  bool in_machine_mode() const { return machine_; }

  /// Predicts the control instruction at `pc` and updates history and return stack.
  Prediction predict(const isa::DecodedInsn& insn, uint64_t pc);

  Checkpoint checkpoint() const { return {history_, ras_[ras_top_], ras_top_}; }
  void restore(const Checkpoint& state);
  /// Restores `before`, then applies what the instruction really did.
  void resolve(const Checkpoint& before, OpClass opclass, uint64_t fall_through, bool taken);

  /// Functional warming: what fetch and commit of the instruction together leave when
  /// nothing else is in flight. Kind `perfect`: nothing.
  /// @param imm  distance to the target of a conditional branch
  void warm(OpClass opclass, uint64_t pc, uint64_t fall_through, bool taken, uint64_t target,
            int32_t imm = 0) {
    if (direction_ == nullptr) return;
    if (opclass == OpClass::kBranch && frozen(machine_)) {
      // Neither history nor tables change.
    } else if (opclass == OpClass::kBranch) {
      warm_insn_.imm = imm;
      const bool predicted = direction_->warm(warm_insn_, pc, history_, taken);
      if (predicted && !taken) find_target(pc);  // it is used, though the branch is not taken
    } else {
      note_call(opclass, fall_through);
    }
    if (taken && opclass != OpClass::kReturn) learn_target(pc, target);
  }

  /// Learns at commit, in program order. @param machine  the mode that it was predicted in
  void train(OpClass opclass, uint64_t pc, uint32_t index, bool taken, uint64_t target,
             bool machine = false);

 private:
  struct Target {
    uint64_t pc = ~uint64_t{0};
    uint64_t target = 0;
  };
  const Target* find_target(uint64_t pc) {
    Target* set = &btb_[(pc >> 1 & btb_mask_) * btb_ways_];
    for (unsigned way = 0; way < btb_ways_; ++way) {
      if (set[way].pc != pc) continue;
      const Target hit = set[way];
      for (; way > 0; --way) set[way] = set[way - 1];
      set[0] = hit;
      return &set[0];
    }
    return nullptr;
  }
  void learn_target(uint64_t pc, uint64_t target);
  void note_call(OpClass opclass, uint64_t fall_through);  // on the return stack

  Predictor() = default;
  void change_mode(bool machine);
  void set_history(uint64_t history);
  bool frozen(bool machine) const { return isolation_ == Isolation::kFrozen && machine; }

  std::unique_ptr<DirectionPredictor> direction_;  // none: perfect
  // Of the mode that is not the present one, where each has a history.
  std::unique_ptr<DirectionPredictor> other_direction_;
  uint64_t other_history_ = 0;
  Isolation isolation_ = Isolation::kNone;
  bool machine_ = false;
  unsigned btb_ways_ = 0;
  uint64_t btb_mask_ = 0;
  uint64_t history_ = 0;
  uint32_t ras_top_ = 0;
  std::shared_ptr<std::vector<Target>> targets_;
  Target* btb_ = nullptr;  // theirs; way 0 of a set is the most recently used
  std::vector<uint64_t> ras_;
  isa::DecodedInsn warm_insn_;  // what a direction predictor sees of a branch while warming
};

}  // namespace strobe::core
