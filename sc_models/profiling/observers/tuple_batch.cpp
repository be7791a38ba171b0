#include "sc_models/profiling/observers/tuple_batch.h"

#include <algorithm>

#include "sc_models/profiling/reference/common/check.h"

namespace strobe::profiling {

void TupleBatch::restart() {
  for (Split& split : splits_) {
    split.hashed = split.ruled = false;
    std::fill(split.counts.begin(), split.counts.end(), uint16_t{0});
  }
  first_ = size_ = 0;
}

TupleBatch::Split& TupleBatch::split(HashKind kind, unsigned n, uint64_t hash_seed) {
  const auto known = std::find_if(splits_.begin(), splits_.end(), [=](const Split& s) {
    return s.kind == kind && s.n == n && s.hash_seed == hash_seed;
  });
  if (known != splits_.end()) return *known;
  check_power_of_two("TupleBatch: strata", n, 1, 4096);
  unsigned bits = 0;
  while ((1u << bits) < n) ++bits;
  Split& split = splits_.emplace_back();
  split.kind = kind;
  split.n = n;
  split.hash_seed = hash_seed;
  split.hash = std::make_unique<Hash>(kind, bits, hash_seed);
  split.counts.resize(n);
  return split;
}

const uint16_t* TupleBatch::strata(HashKind kind, unsigned n, uint64_t hash_seed) {
  Split& split = this->split(kind, n, hash_seed);
  if (!split.hashed) {
    split.strata.resize(size_);
    for (size_t i = 0; i < size_; ++i) {
      split.strata[i] = static_cast<uint16_t>(split.hash->index(tuples_[i].pc, tuples_[i].value));
    }
    split.hashed = true;
  }
  return split.strata.data();
}

const uint8_t* TupleBatch::marks(HashKind kind, unsigned n, uint64_t hash_seed) {
  strata(kind, n, hash_seed);
  Split& split = this->split(kind, n, hash_seed);
  if (!split.ruled) {
    split.marks.assign((size_ + 7) / 8 * 8, 0);
    for (size_t i = 0; i < size_; ++i) {
      const unsigned number = ++split.counts[split.strata[i]];
      split.marks[i] = static_cast<uint8_t>(__builtin_ctz(number | 1u << kMostMark));
    }
    split.ruled = true;
  }
  return split.marks.data();
}

}  // namespace strobe::profiling
