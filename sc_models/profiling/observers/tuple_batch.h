// A stretch of the tuple stream as several observers see it, with what they all compute of it.
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
  /// Other tuples from now on.
  void set(const Tuple* tuples, size_t size) {
    tuples_ = tuples;
    size_ = size;
    for (Split& split : splits_) split.current = false;
  }

  const Tuple* begin() const { return tuples_; }
  const Tuple* end() const { return tuples_ + size_; }
  size_t size() const { return size_; }

  /// The stratum of each tuple under a hash for n strata (a power of two, 1 to 4096): hashed once,
  /// however many observers ask. Valid until set().
  const uint16_t* strata(HashKind kind, unsigned n);

 private:
  struct Split {
    HashKind kind = HashKind::kPaper;
    unsigned n = 0;
    std::unique_ptr<Hash> hash;
    std::vector<uint16_t> strata;
    bool current = false;
  };

  const Tuple* tuples_ = nullptr;
  size_t size_ = 0;
  std::vector<Split> splits_;
};

}  // namespace strobe::profiling
