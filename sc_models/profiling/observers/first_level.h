// The first level of a compressor as a passive observer computes it: the rules of the hardware
// blocks, without time (ISCA 2001, sections 3 and 4).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sc_models/port/path_params.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/observers/seeds.h"
#include "sc_models/profiling/observers/tuple_batch.h"
#include "sc_models/profiling/reference/sampler/compressor_rates.h"

namespace strobe::profiling {

/// A message about the tuple that was just counted.
struct Sample {
  Sample(size_t place, uint32_t times) : at(static_cast<uint32_t>(place)), count(times) {}
  uint32_t at;  // the tuple's place in the batch
  uint32_t count;
};

/// The messages that a batch caused, in stream order. A compressor sends either the tuple that was
/// just counted (a sample) or one that a table held.
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
  /// Counts a batch of tuples in stream order and appends the messages that they cause. One kind of
  /// compressor appends either only to the samples or only to the messages.
  virtual void sample(TupleBatch& batch, Observed& observed) = 0;
  /// The sum of the counts in entries that do not hold their tuple.
  virtual uint64_t residue() const = 0;
  /// Appends the counts of the entries that hold their tuple, in the order of a read-out.
  virtual void read_out(std::vector<Message>& messages) const = 0;
};

/// Makes the first level that `params` describes. Throws std::invalid_argument for a parameter out
/// of range.
std::unique_ptr<FirstLevel> make_first_level(const PathParams& params, const CompressorRates& rates,
                                             const Seeds& seeds);
/// The same for parameters in range, from the descriptions of configs/blocks.
std::unique_ptr<FirstLevel> make_first_level_of_kind(const PathParams& params,
                                                     const CompressorRates& rates,
                                                     const Seeds& seeds);

}  // namespace strobe::profiling
