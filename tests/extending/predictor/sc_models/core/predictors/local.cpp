// Local: the last outcomes of each branch choose a two-bit counter. T.-Y. Yeh and Y. N. Patt,
// "Alternative Implementations of Two-Level Adaptive Branch Prediction", ISCA 1992 (PAg).
#include <algorithm>
#include <vector>

#include "sc_models/core/predictors/direction.h"

namespace strobe::core {
namespace {

class Local final : public DirectionPredictor {
 public:
  explicit Local(unsigned table_bits)
      : history_bits_(std::min(table_bits, kMostHistory)),
        histories_(kBranches, 0),
        counters_(history_bits_) {}

  bool predict(const isa::DecodedInsn&, uint64_t pc, uint64_t&, uint32_t& index) override {
    const uint32_t branch = static_cast<uint32_t>(pc >> 1) % kBranches;
    const uint32_t history = histories_[branch];
    index = branch << kMostHistory | history;
    return counters_.taken(history);
  }
  void train(uint32_t index, bool taken) override {
    const uint32_t mask = (1u << history_bits_) - 1;
    counters_.train(index & mask, taken);
    uint16_t& history = histories_[index >> kMostHistory];
    history = static_cast<uint16_t>((history << 1 | unsigned{taken}) & mask);
  }
  std::unique_ptr<DirectionPredictor> sibling() const override {
    return std::make_unique<Local>(*this);
  }
  uint64_t storage_bits() const override {
    return counters_.storage_bits() + uint64_t{kBranches} * history_bits_;
  }

 private:
  static constexpr unsigned kBranches = 1024, kMostHistory = 12;

  unsigned history_bits_;
  std::vector<uint16_t> histories_;
  TwoBitCounters counters_;
};

}  // namespace

std::unique_ptr<DirectionPredictor> make_local(const PredictorParams& params, unsigned) {
  return std::make_unique<Local>(params.table_bits);
}

}  // namespace strobe::core
