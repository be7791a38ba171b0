#include "sc_models/profiling/reference/sampler/tagged_counters.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sc_models/profiling/reference/common/check.h"

namespace strobe::profiling {
namespace {

const TaggedShape& checked(const TaggedShape& shape) {
  if (shape.ways != 1 && shape.ways != 2 && shape.ways != 4) {
    throw std::invalid_argument("TaggedCounters: ways: expected 1, 2 or 4, got " +
                                std::to_string(shape.ways));
  }
  check_power_of_two("TaggedCounters: strata", shape.strata, shape.ways, 4096);
  check_range("TaggedCounters: tag_bits", shape.tag_bits, 1, 16);
  check_range("TaggedCounters: hit_width", shape.hit_width, 1, 12);
  check_range("TaggedCounters: miss_width", shape.miss_width, 1, shape.hit_width);
  return shape;
}

unsigned log2(unsigned power_of_two) {
  unsigned bits = 0;
  while ((1u << bits) < power_of_two) ++bits;
  return bits;
}

}  // namespace

TaggedCounters::TaggedCounters(const TaggedShape& shape)
    : shape_(checked(shape)),
      hash_(shape.hash, log2(shape.strata / shape.ways)),
      max_hits_((1u << shape.hit_width) - 1),
      max_misses_((1u << shape.miss_width) - 1),
      entries_(shape.strata) {}

uint16_t TaggedCounters::tag_of(const Tuple& tuple) const {
  uint64_t tag = 0;
  for (uint64_t rest = tuple.pc ^ tuple.value; rest != 0; rest >>= shape_.tag_bits) tag ^= rest;
  return static_cast<uint16_t>(tag & ((1u << shape_.tag_bits) - 1));
}

uint32_t TaggedCounters::add(uint32_t set, uint16_t tag, const TaggedThresholds& thresholds) {
  Entry* const first = &entries_[size_t{set} * shape_.ways];
  Entry& entry = first[choose(first, tag)];
  uint32_t message = 0;
  if (entry.state == State::kEmpty) {
    ++taken_[kE1];
    message = take(entry, tag, thresholds);
  } else if (entry.tag == tag) {
    message = hit(entry, thresholds);
  } else if (entry.state == State::kValid) {
    ++taken_[kE4];
    entry.state = State::kEvict;
    entry.misses = 1;
    return 0;
  } else if (entry.misses + 1u >= thresholds.should_replace || entry.misses == max_misses_) {
    ++taken_[kE5];
    message = take(entry, tag, thresholds);
  } else {
    ++taken_[kE5a];
    ++entry.misses;
    return 0;
  }
  std::rotate(first, &entry, &entry + 1);
  return message;
}

/// The entry that counts the tuple: the one of its tag, else the first Empty one, else the last
/// one.
unsigned TaggedCounters::choose(const Entry* set, uint16_t tag) const {
  unsigned empty = shape_.ways;
  for (unsigned way = 0; way < shape_.ways; ++way) {
    if (set[way].state == State::kEmpty) {
      empty = std::min(empty, way);
    } else if (set[way].tag == tag) {
      return way;
    }
  }
  return std::min(empty, shape_.ways - 1);
}

uint32_t TaggedCounters::hit(Entry& entry, const TaggedThresholds& thresholds) {
  const uint32_t hits = entry.hits + 1u;
  const bool evict = entry.state == State::kEvict;
  if (full(hits, thresholds) || (evict && hits >= thresholds.should_evict)) {
    ++taken_[evict ? kE6 : kE2];
    entry = Entry{entry.misses, 0, entry.tag, State::kEmpty};
    return hits;
  }
  ++taken_[evict ? kE6a : kE3];
  entry.hits = static_cast<uint16_t>(hits);
  return 0;
}

/// The tuple takes the entry with all its counts.
uint32_t TaggedCounters::take(Entry& entry, uint16_t tag, const TaggedThresholds& thresholds) {
  const uint32_t hits = entry.hits + entry.misses + 1u;
  if (full(hits, thresholds)) {
    ++taken_[kE2];
    entry = Entry{0, 0, tag, State::kEmpty};
    return hits;
  }
  entry = Entry{static_cast<uint16_t>(hits), 0, tag, State::kValid};
  return 0;
}

void TaggedCounters::zero(uint32_t set) {
  std::fill_n(&entries_[size_t{set} * shape_.ways], shape_.ways, Entry{});
}

uint64_t TaggedCounters::residue() const {
  uint64_t sum = 0;
  for (const Entry& entry : entries_) sum += uint64_t{entry.hits} + entry.misses;
  return sum;
}

}  // namespace strobe::profiling
