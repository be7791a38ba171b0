// Static prediction: backward taken, forward not taken. No state.
#include "sc_models/core/predictors/direction.h"

namespace strobe::core {
namespace {

class Static final : public DirectionPredictor {
 public:
  bool predict(const isa::DecodedInsn& insn, uint64_t, uint64_t&, uint32_t&) override {
    return insn.imm < 0;
  }
  void train(uint32_t, bool) override {}
  std::unique_ptr<DirectionPredictor> sibling() const override {
    return std::make_unique<Static>(*this);
  }
  uint64_t storage_bits() const override { return 0; }
};

}  // namespace

std::unique_ptr<DirectionPredictor> make_static(const PredictorParams&, unsigned) {
  return std::make_unique<Static>();
}

}  // namespace strobe::core
