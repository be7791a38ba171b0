// Passive observers watch the tuple stream of a run without cost to it, and are scored for
// accuracy. An observer is any compressor of ISCA 2001, sections 3 and 4: a sampler with or without
// the hash, the tagged sampler, or the associative table, which can also be a second level.
// docs/blocks/compressor.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sc_models/port/tuple.h"
#include "sc_models/profiling/observers/first_level.h"
#include "sc_models/profiling/observers/tuple_batch.h"
#include "sc_models/profiling/reference/sampler/associative_counters.h"

namespace strobe::profiling {

class Observer {
 public:
  /// The compressor that `params` describes; the parameters of the rest of the path are ignored.
  /// Throws std::invalid_argument for a parameter out of range.
  Observer(const PathParams& params, const CompressorRates& rates, const Seeds& seeds);

  /// Watches a batch of tuples in stream order and appends the messages that they cause. Throws
  /// std::logic_error unless the observer has watched the batch's stream from its beginning.
  void observe(TupleBatch& batch, Observed& observed);
  void observe(TupleBatch& batch, std::vector<Message>& messages);
  /// The same for an observer that watches alone.
  void observe(const Tuple* tuples, size_t count, std::vector<Message>& messages);
  /// To be called at the end of the stream: appends a message for each entry that holds a tuple and
  /// its count, as the firmware reads them out.
  void drain(std::vector<Message>& messages);

  /// The number of tuples watched so far.
  uint64_t events() const { return events_; }
  /// The number of messages made so far.
  uint64_t messages() const { return messages_; }
  /// The sum of the counts in entries that do not hold their tuple, which a read-out at the end
  /// adds up.
  uint64_t residue() const { return first_->residue(); }

 private:
  std::unique_ptr<FirstLevel> first_;
  std::optional<AssociativeCounters> second_;
  Observed between_;  // passes from the first level to the second
  TupleBatch own_;
  uint64_t events_ = 0;
  uint64_t messages_ = 0;
};

}  // namespace strobe::profiling
