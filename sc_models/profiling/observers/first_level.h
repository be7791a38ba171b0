// The first level of a compressor as a passive observer computes it: the blocks' rules without
// time (ISCA 2001, sections 3 and 4).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sc_models/port/path_params.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/observers/tuple_batch.h"
#include "sc_models/profiling/reference/compressor.h"

namespace strobe::profiling {

/// A message of the tuple in hand.
struct Sample {
  Sample(size_t place, uint32_t times) : at(static_cast<uint32_t>(place)), count(times) {}
  uint32_t at;  // the tuple's place in the batch
  uint32_t count;
};

/// What a batch brought, in stream order. A compressor sends the tuple in hand, or one that a table
/// held.
struct Observed {
  std::vector<Sample> samples;
  std::vector<Message> messages;

  void clear() {
    samples.clear();
    messages.clear();
  }
};

class FirstLevel {
 public:
  virtual ~FirstLevel() = default;
  /// Counts a batch of tuples in stream order; the messages they cause are appended, of a kind all
  /// to the samples or all to the messages.
  virtual void sample(TupleBatch& batch, Observed& observed) = 0;
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
