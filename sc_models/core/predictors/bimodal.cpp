// Bimodal: a two-bit counter for each (hashed) branch. J. E. Smith, "A Study of Branch Prediction
// Strategies", ISCA 1981.
#include "sc_models/core/predictors/direction.h"

namespace strobe::core {
namespace {

class Bimodal final : public DirectionPredictor {
 public:
  explicit Bimodal(unsigned table_bits) : counters_(table_bits) {}
  bool predict(const isa::DecodedInsn&, uint64_t pc, uint64_t&, uint32_t& index) override {
    index = counters_.index(pc >> 1);
    return counters_.taken(index);
  }
  void train(uint32_t index, bool taken) override { counters_.train(index, taken); }
  std::unique_ptr<DirectionPredictor> sibling() const override {
    return std::make_unique<Bimodal>(*this);
  }
  uint64_t storage_bits() const override { return counters_.storage_bits(); }

 private:
  TwoBitCounters counters_;
};

}  // namespace

std::unique_ptr<DirectionPredictor> make_bimodal(const PredictorParams& params, unsigned) {
  return std::make_unique<Bimodal>(params.table_bits);
}

}  // namespace strobe::core
