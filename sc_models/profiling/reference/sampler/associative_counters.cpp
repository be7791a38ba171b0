#include "sc_models/profiling/reference/sampler/associative_counters.h"

#include "sc_models/profiling/reference/common/check.h"

namespace strobe::profiling {
namespace {

unsigned checked_entries(unsigned entries) {
  check_power_of_two("AssociativeCounters: entries", entries, 4, 64);
  return entries;
}

unsigned checked_count_width(unsigned count_width) {
  check_range("AssociativeCounters: count_width", count_width, 1, 24);
  return count_width;
}

}  // namespace

AssociativeCounters::AssociativeCounters(unsigned entries, unsigned count_width)
    : limit_(1u << checked_count_width(count_width)), slots_(checked_entries(entries)) {
  clear();
}

void AssociativeCounters::clear() {
  buckets_.fill(kNone);
  used_ = 0;
  newest_ = oldest_ = kNone;
}

std::optional<Message> AssociativeCounters::update(const Tuple& tuple, uint32_t count) {
  const uint8_t bucket = bucket_of(tuple);
  const uint8_t slot = find(tuple, bucket);
  if (slot == kNone) return enter(tuple, count, bucket);
  if (slot != newest_) {
    unlink(slot);
    push_front(slot);
  }
  uint32_t& held = slots_[slot].held.count;
  held += count;
  if (held < limit_) {
    ++applied_[kA1];
    return std::nullopt;
  }
  ++applied_[kA2];
  held -= limit_;
  return Message{tuple, limit_};
}

std::optional<Message> AssociativeCounters::enter(const Tuple& tuple, uint32_t count,
                                                  uint8_t bucket) {
  std::optional<Message> evicted;
  uint8_t slot = oldest_;
  if (used_ < entries()) {
    slot = static_cast<uint8_t>(used_++);
    ++applied_[kA3];
  } else {
    if (slots_[slot].held.count != 0) evicted = slots_[slot].held;
    unlink(slot);
    leave_bucket(slot);
    ++applied_[kA4];
  }
  slots_[slot].held = Message{tuple, count};
  slots_[slot].bucket = bucket;
  slots_[slot].chain = buckets_[bucket];
  buckets_[bucket] = slot;
  push_front(slot);
  return evicted;
}

uint8_t AssociativeCounters::find(const Tuple& tuple, uint8_t bucket) const {
  uint8_t slot = buckets_[bucket];
  while (slot != kNone && !(slots_[slot].held.tuple == tuple)) slot = slots_[slot].chain;
  return slot;
}

void AssociativeCounters::unlink(uint8_t slot) {
  const uint8_t newer = slots_[slot].newer, older = slots_[slot].older;
  (newer == kNone ? newest_ : slots_[newer].older) = older;
  (older == kNone ? oldest_ : slots_[older].newer) = newer;
}

void AssociativeCounters::push_front(uint8_t slot) {
  slots_[slot].newer = kNone;
  slots_[slot].older = newest_;
  (newest_ == kNone ? oldest_ : slots_[newest_].newer) = slot;
  newest_ = slot;
}

void AssociativeCounters::leave_bucket(uint8_t slot) {
  uint8_t* link = &buckets_[slots_[slot].bucket];
  while (*link != slot) link = &slots_[*link].chain;
  *link = slots_[slot].chain;
}

std::optional<Message> AssociativeCounters::entry(uint32_t position) const {
  if (position >= used_) return std::nullopt;
  uint8_t slot = newest_;
  for (; position != 0; --position) slot = slots_[slot].older;
  return slots_[slot].held;
}

void AssociativeCounters::read_out(std::vector<Message>& messages) const {
  for (uint8_t slot = newest_; slot != kNone; slot = slots_[slot].older) {
    if (slots_[slot].held.count != 0) messages.push_back(slots_[slot].held);
  }
}

uint64_t AssociativeCounters::residue() const {
  uint64_t sum = 0;
  for (unsigned slot = 0; slot < used_; ++slot) sum += slots_[slot].held.count;
  return sum;
}

}  // namespace strobe::profiling
