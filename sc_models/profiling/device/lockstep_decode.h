// Two decode engines side by side: the run fails at the first answer in which they differ.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "sc_models/port/decode_engine.h"
#include "sc_models/port/path_interface.h"

namespace strobe::profiling {

class LockstepDecode final : public DecodeEngine {
 public:
  /// @param now  returns the core's cycle, for error messages
  LockstepDecode(std::unique_ptr<DecodeEngine> rtl, std::unique_ptr<DecodeEngine> model,
                 std::function<uint64_t()> now);

  /// These throw LockstepError when the answers of the two engines differ, or their flags and
  /// counters after the call.
  DecodeDecision decode(const DecodeLane* lanes, unsigned count, uint8_t slot) override;
  void restore(DecodeCheckpoint checkpoint) override;
  InstantiatedInstruction instantiate(const DecodeLane& trigger, uint16_t entry) override;
  uint64_t read(uint32_t offset) override;
  void write(uint32_t offset, uint64_t value) override;

  bool concerns(const DecodeLane& lane) const override { return model_->concerns(lane); }
  uint64_t generation() const override { return model_->generation(); }
  bool burst() override { return model_->burst(); }

 private:
  void compare(const char* what, uint64_t rtl, uint64_t model) const;
  void compare_state();

  std::unique_ptr<DecodeEngine> rtl_, model_;
  std::function<uint64_t()> now_;
  uint64_t pc_ = 0;  // pc of the instruction that was presented last
};

}  // namespace strobe::profiling
