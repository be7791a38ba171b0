// What the observer thread of SHIM tries to see, seen at commit: how many instructions had
// committed before any recent cycle, and for how long a word of memory had each of its values.
// Cycles count from the beginning of the region.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/port/retire_listener.h"

namespace strobe::platform {

class ObservedTruth final : public RetireListener {
 public:
  static constexpr uint64_t kCycles = 1 << 16;

  /// @param address, bytes  of the word; no bytes: there is none
  /// @param values          from this one on values are not told apart
  ObservedTruth(uint64_t address, unsigned bytes, uint64_t values)
      : address_(address), mask_(bytes == 0 ? 0 : (1u << bytes) - 1), values_(values) {}

  /// The region begins, with this value of the word.
  void begin(uint64_t value);

  // RetireListener
  RetireKinds kinds() const override { return {0xffff, 0xffff}; }
  void record(const RetireRecord& done) override {
    if ((done.trap | done.injected) != 0) return;
    ++instructions_;
    if (mask_ != 0 && done.mem_wmask == mask_ && done.mem_addr == address_) {
      leave();
      value_ = done.mem_wdata;
    }
  }
  void set_cycles(uint64_t cycle) override;

  /// Instructions that committed before cycle `cycle`, which is one of the last kCycles.
  uint64_t instructions_before(uint64_t cycle) const {
    return cycle > now_ ? instructions_ : before_[cycle % kCycles];
  }
  /// Cycles and instructions (count[0]) by value, up to the last call of set_cycles().
  const std::map<uint64_t, ObservedSum>& by_value();

 private:
  void leave();

  const uint64_t address_;
  const unsigned mask_;
  const uint64_t values_;
  std::vector<uint64_t> before_ = std::vector<uint64_t>(kCycles);  // by cycle, up to now_
  uint64_t now_ = 0, instructions_ = 0;
  uint64_t value_ = 0, since_ = 0, since_instructions_ = 0;
  std::map<uint64_t, ObservedSum> by_value_;
};

}  // namespace strobe::platform
