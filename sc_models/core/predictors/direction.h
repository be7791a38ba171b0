// How a direction predictor looks to the core, and the table of those there are.
//
// A predictor is a class in a file of its own below sc_models/core/predictors, a maker at that
// file's end, and a line in the table of registry.cpp: the linker drops objects of a static library
// that nothing names, so the table names them. kPredictorNames (params.h) is what the configuration
// accepts; a test holds the two equal.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/core/params.h"
#include "sc_models/isa/decoded.h"

namespace strobe::core {

/// Predicts conditional branches. The history is a word the caller keeps and checkpoints; what it
/// means is the predictor's own: outcomes, or the position in a longer record of them.
class DirectionPredictor {
 public:
  virtual ~DirectionPredictor() = default;

  /// Predicts the branch at `pc` and appends the prediction to `history`. `index` goes to train().
  virtual bool predict(const isa::DecodedInsn& insn, uint64_t pc, uint64_t& history,
                       uint32_t& index) = 0;
  /// Learns at commit, in program order; `index` is what predict() gave for this branch.
  virtual void train(uint32_t index, bool taken) = 0;

  /// Appends what a mispredicted branch really did.
  virtual void append(uint64_t& history, bool taken) { history = history << 1 | uint64_t{taken}; }
  /// The caller has put `history` back to what it was before an instruction in flight.
  virtual void restore(uint64_t /*history*/) {}

  /// Predicts and learns at once, as if the branch at `pc` were alone in the pipeline. Returns the
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

  /// State the hardware would hold.
  virtual uint64_t storage_bits() const = 0;
};

/// Saturating two-bit counters, weakly taken at first.
class TwoBitCounters {
 public:
  explicit TwoBitCounters(unsigned table_bits)
      : mask_((uint64_t{1} << table_bits) - 1), counters_(mask_ + 1, 2) {}
  uint32_t index(uint64_t number) const { return static_cast<uint32_t>(number & mask_); }
  bool taken(uint32_t index) const { return counters_[index] >= 2; }
  void train(uint32_t index, bool taken) {
    uint8_t& counter = counters_[index];
    if (taken && counter < 3) ++counter;
    if (!taken && counter > 0) --counter;
  }
  uint64_t storage_bits() const { return 2 * counters_.size(); }

 private:
  uint64_t mask_;
  std::vector<uint8_t> counters_;
};

struct DirectionPredictorEntry {
  std::string name;
  /// `in_flight` is the most branches between prediction and commit. Null for `perfect`, which
  /// predicts nothing: fetch asks the hart.
  std::unique_ptr<DirectionPredictor> (*make)(const PredictorParams& params, unsigned in_flight);
};

/// Those there are, in the order of kPredictorNames.
const std::vector<DirectionPredictorEntry>& direction_predictors();
/// Throws std::invalid_argument naming the predictors there are.
const DirectionPredictorEntry& find_direction_predictor(const std::string& name);

std::unique_ptr<DirectionPredictor> make_static(const PredictorParams& params, unsigned in_flight);
std::unique_ptr<DirectionPredictor> make_bimodal(const PredictorParams& params, unsigned in_flight);
std::unique_ptr<DirectionPredictor> make_gshare(const PredictorParams& params, unsigned in_flight);
std::unique_ptr<DirectionPredictor> make_tage(const PredictorParams& params, unsigned in_flight);

}  // namespace strobe::core
