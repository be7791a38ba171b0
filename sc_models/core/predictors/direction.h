// The core's interface to a direction predictor, and the table of the available predictors.
//
// A predictor consists of a class in a file of its own in sc_models/core/predictors, a maker at the
// end of that file, and its name in STROBE_DIRECTION_PREDICTORS (params.h). The list is needed
// because the linker drops objects of a static library to which nothing refers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/core/params.h"
#include "sc_models/isa/decode/decoded.h"

namespace strobe::core {

/// Predicts conditional branches. The history is a word that the caller keeps and checkpoints. Its
/// meaning depends on the predictor: outcomes, or the position in a longer record of them.
class DirectionPredictor {
 public:
  virtual ~DirectionPredictor() = default;

  /// Predicts the branch at `pc` and appends the prediction to `history`. `index` is set for
  /// train().
  virtual bool predict(const isa::DecodedInsn& insn, uint64_t pc, uint64_t& history,
                       uint32_t& index) = 0;
  /// Updates the predictor at commit, in program order. `index` is the value that predict() set for
  /// this branch.
  virtual void train(uint32_t index, bool taken) = 0;

  /// Appends the actual outcome of a mispredicted branch.
  virtual void append(uint64_t& history, bool taken) { history = history << 1 | uint64_t{taken}; }
  /// To be called when the caller has restored `history` to its value before an instruction in
  /// flight.
  virtual void restore(uint64_t /*history*/) {}

  /// Predicts and updates at once, as if the branch at `pc` were alone in the pipeline. Returns the
  /// prediction.
  virtual bool warm(const isa::DecodedInsn& insn, uint64_t pc, uint64_t& history, bool taken) {
    const uint64_t before = history;
    uint32_t index = 0;
    const bool predicted = predict(insn, pc, history, index);
    if (predicted != taken) {
      history = before;
      restore(before);
      append(history, taken);
    }
    train(index, taken);
    return predicted;
  }

  /// The predictor of another hart on the same core: its tables are these, its histories are its
  /// own and start empty.
  virtual std::unique_ptr<DirectionPredictor> sibling() const = 0;

  /// The state that the hardware would hold, in bits.
  virtual uint64_t storage_bits() const = 0;
};

/// Saturating two-bit counters, which start weakly taken. A copy stands for the same counters.
class TwoBitCounters {
 public:
  explicit TwoBitCounters(unsigned table_bits)
      : mask_((uint64_t{1} << table_bits) - 1),
        storage_(std::make_shared<std::vector<uint8_t>>(mask_ + 1, 2)),
        counters_(storage_->data()) {}
  uint32_t index(uint64_t number) const { return static_cast<uint32_t>(number & mask_); }
  bool taken(uint32_t index) const { return counters_[index] >= 2; }
  void train(uint32_t index, bool taken) {
    uint8_t& counter = counters_[index];
    if (taken && counter < 3) ++counter;
    if (!taken && counter > 0) --counter;
  }
  uint64_t storage_bits() const { return 2 * (mask_ + 1); }

 private:
  uint64_t mask_;
  std::shared_ptr<std::vector<uint8_t>> storage_;
  uint8_t* counters_;
};

struct DirectionPredictorEntry {
  std::string name;
  /// Makes the predictor. `in_flight` is the largest number of branches between prediction and
  /// commit. Null for `perfect`, which predicts nothing: fetch asks the hart.
  std::unique_ptr<DirectionPredictor> (*make)(const PredictorParams& params, unsigned in_flight);
};

/// The available predictors, in the order of kPredictorNames.
const std::vector<DirectionPredictorEntry>& direction_predictors();
/// The predictor of that name. Throws std::invalid_argument, with the names of the available
/// predictors, if there is none.
const DirectionPredictorEntry& find_direction_predictor(const std::string& name);

#define STROBE_PREDICTOR_MAKER(name)                                             \
  std::unique_ptr<DirectionPredictor> make_##name(const PredictorParams& params, \
                                                  unsigned in_flight);
STROBE_DIRECTION_PREDICTORS(STROBE_PREDICTOR_MAKER)
#undef STROBE_PREDICTOR_MAKER

}  // namespace strobe::core
