// The tuple stream, stretch by stretch, as several observers see it, with what they all compute of
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/hash.h"

namespace strobe::profiling {

/// Keeps a pointer to the tuples, which must outlive its use.
class TupleBatch {
 public:
  /// The next tuples of the stream.
  void set(const Tuple* tuples, size_t size) {
    first_ += size_;
    tuples_ = tuples;
    size_ = size;
    for (Split& split : splits_) split.hashed = split.ruled = false;
  }
  /// Another stream begins.
  void restart();

  const Tuple* begin() const { return tuples_; }
  const Tuple* end() const { return tuples_ + size_; }
  size_t size() const { return size_; }
  /// Tuples of the stream before these.
  uint64_t first() const { return first_; }

  /// The stratum of each tuple under a hash for n strata (a power of two, 1 to 4096): hashed once,
  /// however many observers ask. Valid until set().
  const uint16_t* strata(HashKind kind, unsigned n);

  /// How often 2 divides the number of each tuple in its stratum, counted from 1 in the stream; at
  /// most kMostMark, and there are 0s up to a multiple of 8 tuples. So a period 2^k ends in each
  /// stratum where the mark is k or more: one count for all observers with such periods (the marks
  /// of a ruler). They must ask for it from the stream's beginning on. Valid until set().
  const uint8_t* marks(HashKind kind, unsigned n);
  static constexpr unsigned kMostMark = 15;

 private:
  struct Split {
    HashKind kind = HashKind::kPaper;
    unsigned n = 0;
    std::unique_ptr<Hash> hash;
    std::vector<uint16_t> strata;
    std::vector<uint16_t> counts;  // of a stratum's tuples
    std::vector<uint8_t> marks;
    bool hashed = false, ruled = false;
  };
  Split& split(HashKind kind, unsigned n);

  const Tuple* tuples_ = nullptr;
  size_t size_ = 0;
  uint64_t first_ = 0;
  std::vector<Split> splits_;
};

}  // namespace strobe::profiling
