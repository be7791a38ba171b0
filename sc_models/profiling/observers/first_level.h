// The first level of a compressor as a passive observer computes it: the blocks' rules without
// time (ISCA 2001, sections 3 and 4).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sc_models/port/tuple.h"
#include "sc_models/profiling/observers/tuple_batch.h"
#include "sc_models/profiling/path_params.h"
#include "sc_models/profiling/reference/compressor.h"

namespace strobe::profiling {

class FirstLevel {
 public:
  virtual ~FirstLevel() = default;
  /// Counts a batch of tuples in stream order; the messages they cause are appended.
  virtual void sample(TupleBatch& batch, std::vector<Message>& messages) = 0;
  /// Counts held in entries that do not know their tuple.
  virtual uint64_t residue() const = 0;
  /// What the entries that know their tuple hold, in the order of a read-out.
  virtual void read_out(std::vector<Message>& messages) const = 0;
};

/// @param seed  where the random numbers of a sampler of chance start
/// Throws std::invalid_argument for a parameter out of range.
std::unique_ptr<FirstLevel> make_first_level(const PathParams& params, const CompressorRates& rates,
                                             uint64_t seed);

}  // namespace strobe::profiling
