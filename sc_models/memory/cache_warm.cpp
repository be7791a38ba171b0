// Functional warming of a cache: the state that an access leaves, without its time.
#include "sc_models/memory/cache.h"

namespace strobe::memory {

void Cache::warm_line(uint64_t number, bool write, bool whole_line) {
  Line* set = &lines_[(number & set_mask_) * params_.ways];
  unsigned way = 0;
  while (way < params_.ways && set[way].tag >> kFlagBits != number) ++way;
  bool fresh = true;
  if (way < params_.ways) {
    const Line hit = set[way];
    fresh = (hit.tag & kPrefetched) != 0;
    insert(set, way, (hit.tag & ~kPrefetched) | uint64_t{write}, hit.ready);
  } else {
    if (!whole_line && warm_below_ != nullptr) warm_below_->warm_line(number, false, false);
    warm_insert(set, number << kFlagBits | uint64_t{write});
  }
  if (!prefetcher_.on() || whole_line) return;
  const int64_t distance = prefetcher_.distance(number, fresh);
  if (distance == 0) return;
  for (unsigned i = 1; i <= prefetcher_.degree(); ++i) {
    warm_prefetch(number + static_cast<uint64_t>(distance * i));
  }
}

void Cache::warm_prefetch(uint64_t number) {
  Line* set = &lines_[(number & set_mask_) * params_.ways];
  for (unsigned way = 0; way < params_.ways; ++way) {
    if (set[way].tag >> kFlagBits == number) return;
  }
  if (!backed(number)) return;
  if (warm_below_ != nullptr) warm_below_->warm_line(number, false, false);
  warm_insert(set, number << kFlagBits | kPrefetched);
}

// Replaces the least recently used line; during warming no line is in flight.
void Cache::warm_insert(Line* set, uint64_t tag) {
  const unsigned victim = params_.ways - 1;
  const uint64_t old = set[victim].tag;
  insert(set, victim, tag, 0);
  if (warm_below_ != nullptr && old != kInvalid && (old & kDirty) != 0) {
    warm_below_->warm_line(old >> kFlagBits, true, true);
  }
}

// Whether there is memory at the line. A prefetcher may request lines that no program has touched.
bool Cache::backed(uint64_t number) { return direct(number << line_bits_, params_.line); }

}  // namespace strobe::memory
