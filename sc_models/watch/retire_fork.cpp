#include "sc_models/watch/retire_fork.h"

namespace strobe::platform {

RetireInterest RetireFork::retire(uint64_t cycle, const RetireRecord* lanes, unsigned /*count*/,
                                  const RetireRecord* const* picked, unsigned picks) {
  if (device_ != nullptr) show_device(cycle, lanes, picked, picks);
  if (picks != 0) {
    for (RetireListener* const listener : listeners_) {
      listener->retire(since_begin(cycle), picked, picks);
    }
  }
  return interest();
}

/// The device may look at fewer than the listeners.
inline void RetireFork::show_device(uint64_t cycle, const RetireRecord* lanes,
                                    const RetireRecord* const* picked, unsigned picks) {
  const RetireKinds kinds = device_->kinds();
  if (kinds == this->kinds()) return device_->retire(cycle, lanes, picked, picks);
  const RetireRecord* shown[kMaxRetireWidth] = {};
  unsigned shows = 0;
  for (unsigned k = 0; k < picks; ++k) {
    if (kinds.has(*picked[k])) shown[shows++] = picked[k];
  }
  device_->retire(cycle, lanes, shown, shows);
}

void RetireFork::end_region(uint64_t last) {
  for (RetireListener* const listener : listeners_) listener->set_cycles(since_begin(last));
}

}  // namespace strobe::platform
