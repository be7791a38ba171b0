// Gshare: two-bit counters indexed by address xor global history. S. McFarling, "Combining Branch
// Predictors", DEC WRL TN-36, 1993.
#include "sc_models/core/predictors/direction.h"

namespace strobe::core {
namespace {

class Gshare final : public DirectionPredictor {
 public:
  Gshare(unsigned table_bits, unsigned history_bits)
      : counters_(table_bits),
        history_bits_(history_bits),
        history_mask_((uint64_t{1} << history_bits) - 1) {}
  bool predict(const isa::DecodedInsn&, uint64_t pc, uint64_t& history, uint32_t& index) override {
    index = counters_.index(pc >> 1 ^ (history & history_mask_));
    const bool taken = counters_.taken(index);
    append(history, taken);
    return taken;
  }
  void train(uint32_t index, bool taken) override { counters_.train(index, taken); }
  bool warm(const isa::DecodedInsn&, uint64_t pc, uint64_t& history, bool taken) override {
    const uint32_t index = counters_.index(pc >> 1 ^ (history & history_mask_));
    const bool predicted = counters_.taken(index);
    counters_.train(index, taken);
    append(history, taken);
    return predicted;
  }
  std::unique_ptr<DirectionPredictor> sibling() const override {
    return std::make_unique<Gshare>(*this);
  }
  uint64_t storage_bits() const override { return counters_.storage_bits() + history_bits_; }

 private:
  TwoBitCounters counters_;
  unsigned history_bits_;
  uint64_t history_mask_;
};

}  // namespace

std::unique_ptr<DirectionPredictor> make_gshare(const PredictorParams& params, unsigned) {
  return std::make_unique<Gshare>(params.table_bits, params.history_bits);
}

}  // namespace strobe::core
