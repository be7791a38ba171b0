// Two paths side by side: the run fails at the first cycle in which an output differs.
#pragma once

#include <cstdint>
#include <memory>

#include "sc_models/port/path_interface.h"

namespace strobe::profiling {

class LockstepPath final : public ProfilerPath {
 public:
  /// Throws std::invalid_argument when the two paths have different parameters.
  LockstepPath(std::unique_ptr<ProfilerPath> rtl, std::unique_ptr<ProfilerPath> model);

  /// Throws LockstepError when an output differs. In a cycle without a register access the read
  /// address walks over all registers, so that state is compared even if software never reads it.
  PathOutputs step(const PathInputs& inputs) override;
  PathOutputs peek(uint16_t reg_addr) override;
  void skip(uint64_t cycles) override;
  void reset() override;
  const PathParams& params() const override { return model_->params(); }
  const ProfilerPath& model() const { return *model_; }

 private:
  void compare(const PathOutputs& rtl, const PathOutputs& model, uint16_t reg_addr) const;

  std::unique_ptr<ProfilerPath> rtl_, model_;
  uint64_t cycle_ = 0;  // since reset
  uint16_t walk_ = 0;   // the register compared in the next cycle without an access
};

}  // namespace strobe::profiling
