#include "sw/profile/streams/reference_trace.h"

namespace strobe::profile {

void ReferenceTrace::add(const Reference& reference) {
  const Tuple key{reference.pc, reference.address, 0};
  const uint64_t known = numbers_.count(key);
  const uint64_t number = known != 0 ? known - 1 : by_number_.size();
  if (!sequitur_.append(static_cast<uint32_t>(number))) {
    ++dropped_;
    return;
  }
  ++references_;
  if (known == 0) {
    numbers_.add(key, number + 1);
    by_number_.push_back(reference);
  }
}

void ReferenceTrace::separate() {
  if (sequitur_.append(static_cast<uint32_t>(by_number_.size()))) by_number_.push_back({});
}

size_t ReferenceTrace::bytes() const {
  return sequitur_.bytes() + numbers_.bytes() + by_number_.capacity() * sizeof(Reference);
}

}  // namespace strobe::profile
