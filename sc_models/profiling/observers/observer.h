// Passive observers: they watch the tuple stream of a run for free and are scored for accuracy.
// Any compressor of ISCA 2001, sections 3 and 4: samplers behind the hash or without it, the tagged
// one, the associative table, and this also as a second level. docs/blocks/compressor.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sc_models/port/tuple.h"
#include "sc_models/profiling/observers/first_level.h"
#include "sc_models/profiling/observers/tuple_batch.h"
#include "sc_models/profiling/reference/associative_counters.h"

namespace strobe::profiling {

class Observer {
 public:
  /// The compressor that `params` describes; what else of the path they say is not looked at.
  /// @param seed  where the random numbers of a sampler of chance start
  /// Throws std::invalid_argument for a parameter out of range.
  Observer(const PathParams& params, const CompressorRates& rates, uint64_t seed);

  /// Watches a batch of tuples in stream order; the messages they cause are appended. Throws
  /// std::logic_error unless it watched the batch's stream from the beginning on.
  void observe(TupleBatch& batch, Observed& observed);
  void observe(TupleBatch& batch, std::vector<Message>& messages);
  /// The same for an observer that watches alone.
  void observe(const Tuple* tuples, size_t count, std::vector<Message>& messages);
  /// The end of the stream: the counts that entries hold with their tuples become messages, as the
  /// firmware reads them out.
  void drain(std::vector<Message>& messages);

  /// Tuples watched so far.
  uint64_t events() const { return events_; }
  /// Messages made so far.
  uint64_t messages() const { return messages_; }
  /// Counts held in entries that do not know their tuple: what a read-out at the end adds up.
  uint64_t residue() const { return first_->residue(); }

 private:
  std::unique_ptr<FirstLevel> first_;
  std::optional<AssociativeCounters> second_;
  Observed between_;  // the levels
  TupleBatch own_;
  uint64_t events_ = 0;
  uint64_t messages_ = 0;
};

}  // namespace strobe::profiling
