// One stretch of the tuple stream at a time, shared by several observers, with the results that all
// of them need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/hash/hash.h"

namespace strobe::profiling {

/// A batch of tuples. It keeps a pointer to the tuples, which must outlive its use.
class TupleBatch {
 public:
  /// Sets the next tuples of the stream.
  void set(const Tuple* tuples, size_t size) {
    first_ += size_;
    tuples_ = tuples;
    size_ = size;
    for (Split& split : splits_) split.hashed = split.ruled = false;
  }
  /// To be called when another stream begins.
  void restart();

  const Tuple* begin() const { return tuples_; }
  const Tuple* end() const { return tuples_ + size_; }
  size_t size() const { return size_; }
  /// The number of tuples of the stream before this batch.
  uint64_t first() const { return first_; }

  /// The stratum of each tuple under a hash with a seed (Hash) for n strata (a power of two, 1 to
  /// 4096). It is computed once, however many observers ask. Valid until set().
  const uint16_t* strata(HashKind kind, unsigned n, uint64_t hash_seed = 0);

  /// The mark of each tuple: how often 2 divides the tuple's number within its stratum, which
  /// counts from 1 in the stream. A mark is at most kMostMark, and the array is padded with 0s to a
  /// multiple of 8 tuples. A period of 2^k ends in a stratum where the mark is k or more, so one
  /// count serves all observers with such periods, like the marks of a ruler. An observer must ask
  /// for the marks from the stream's beginning on. Valid until set().
  const uint8_t* marks(HashKind kind, unsigned n, uint64_t hash_seed = 0);
  static constexpr unsigned kMostMark = 15;

 private:
  struct Split {
    HashKind kind = HashKind::kPaper;
    unsigned n = 0;
    uint64_t hash_seed = 0;
    std::unique_ptr<Hash> hash;
    std::vector<uint16_t> strata;
    std::vector<uint16_t> counts;  // the number of tuples in each stratum
    std::vector<uint8_t> marks;
    bool hashed = false, ruled = false;
  };
  Split& split(HashKind kind, unsigned n, uint64_t hash_seed);

  const Tuple* tuples_ = nullptr;
  size_t size_ = 0;
  uint64_t first_ = 0;
  std::vector<Split> splits_;
};

}  // namespace strobe::profiling
