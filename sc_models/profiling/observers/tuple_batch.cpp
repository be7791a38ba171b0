#include "sc_models/profiling/observers/tuple_batch.h"

#include <algorithm>

#include "sc_models/profiling/reference/check.h"

namespace strobe::profiling {

const uint16_t* TupleBatch::strata(HashKind kind, unsigned n) {
  auto split = std::find_if(splits_.begin(), splits_.end(),
                            [=](const Split& known) { return known.kind == kind && known.n == n; });
  if (split == splits_.end()) {
    check_power_of_two("TupleBatch: strata", n, 1, 4096);
    unsigned bits = 0;
    while ((1u << bits) < n) ++bits;
    splits_.emplace_back();
    split = splits_.end() - 1;
    split->kind = kind;
    split->n = n;
    split->hash = std::make_unique<Hash>(kind, bits);
  }
  if (!split->current) {
    split->strata.resize(size_);
    for (size_t i = 0; i < size_; ++i) {
      split->strata[i] = static_cast<uint16_t>(split->hash->index(tuples_[i].pc, tuples_[i].value));
    }
    split->current = true;
  }
  return split->strata.data();
}

}  // namespace strobe::profiling
