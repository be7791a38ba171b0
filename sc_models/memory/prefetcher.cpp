#include "sc_models/memory/prefetcher.h"

namespace strobe::memory {

Prefetcher::Prefetcher(const CacheParams& params)
    : kind_(params.prefetch), degree_(params.prefetch_degree) {
  while ((uint64_t{1} << line_bits_) < params.line) ++line_bits_;
}

int64_t Prefetcher::distance(uint64_t number, bool fresh) {
  switch (kind_) {
    case Prefetch::kNone:
      return 0;
    case Prefetch::kNextLine:
      return fresh ? 1 : 0;
    case Prefetch::kStride:
      return stride_from(number);
  }
  return 0;
}

int64_t Prefetcher::stride_from(uint64_t number) {
  const uint64_t zone = number << line_bits_ >> kZoneBits;
  Zone& entry = zones_[zone % kZones];
  if (entry.zone != zone) {
    entry = {zone, number, 0, false};
    return 0;
  }
  const int64_t stride = static_cast<int64_t>(number - entry.last);
  if (stride == 0) return 0;
  entry.confirmed = stride == entry.stride;
  entry.stride = stride;
  entry.last = number;
  return entry.confirmed ? stride : 0;
}

}  // namespace strobe::memory
