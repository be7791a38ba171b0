// The tagged sampler T, cycle by cycle (ISCA 2001, section 4, Figure 6).
// docs/blocks/tagged_sampler.md
//
// As in the stratified sampler, a tuple in stage 2 holds what the table holds, so the model counts
// on the table itself in stage 2.
#pragma once

#include <cstdint>
#include <optional>

#include "sc_models/port/path_params.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/hash/hash_pipeline.h"
#include "sc_models/profiling/reference/sampler/compressor_rates.h"
#include "sc_models/profiling/reference/sampler/table_entry.h"
#include "sc_models/profiling/reference/sampler/tagged_counters.h"
#include "sc_models/profiling/reference/selection/tuple_queue.h"

namespace strobe::profiling {

/// One tuple a cycle. A message stops the stages until it is taken.
class TaggedSampler {
 public:
  struct Inputs {
    bool clear = false;
    bool valid = false;  // a tuple is offered
    Tuple tuple;
    TaggedThresholds thresholds;
    bool msg_ready = false;
    uint32_t table_index = 0;
  };
  struct Outputs {
    bool ready = false;  // combinational from msg_ready; the others from state
    bool msg_valid = false;
    Message message;  // all zero when not valid
    bool init = false;
    bool idle = false;
    uint32_t table_data = 0;
  };

  /// Throws std::invalid_argument for a parameter out of range.
  explicit TaggedSampler(const TaggedShape& shape) : counters_(shape), hash_stages_(shape.hash) {}

  /// The sampler of a path with these parameters.
  explicit TaggedSampler(const PathParams& params) : TaggedSampler(tagged_shape(params)) {}

  /// One clock cycle: gives the outputs, then takes the edge.
  Outputs step(const Inputs& inputs);
  Outputs outputs(bool msg_ready) const;

  bool ready(bool msg_ready) const {
    const bool counts = !init_ && (!message_ || msg_ready);
    return hash_stages_.has_stages() ? hash_stages_.ready(counts) : counts;
  }
  bool msg_valid() const { return message_.has_value(); }
  const Message& message() const { return *message_; }  ///< only when valid
  bool init() const { return init_; }
  /// Hits plus misses of the entry that the last read-out found.
  uint32_t table_data() const { return table_data_; }
  TableEntry table(uint32_t /*table_index*/) const { return entry_of_count(table_data_); }
  uint64_t residue() const { return counters_.residue(); }
  bool idle() const { return sets_idle() && hash_stages_.idle(); }
  const TaggedCounters& counters() const { return counters_; }

  /// The edge alone. `tuple` is the offered one, nullptr when none is or the sampler is not ready.
  void advance(const Tuple* tuple, const TaggedThresholds& thresholds, bool msg_ready,
               uint32_t table_index);
  void advance(const TupleGroup& group, const CompressorRates& rates, bool msg_ready,
               uint32_t table_index) {
    advance(group.only(), tagged_thresholds(rates), msg_ready, table_index);
  }
  /// The edge of a cycle in which the sampler is idle and no tuple is offered: only the table is
  /// read.
  void advance_idle(uint32_t table_index) { advance(nullptr, {}, true, table_index); }
  /// True when another idle cycle with this index changes nothing.
  bool settled(uint32_t table_index) const {
    const uint32_t held = counters_.held(table_index);
    return read_ == held && table_data_ == held;
  }
  void clear();
  void clear(uint64_t /*seed*/) { clear(); }

 private:
  bool sets_idle() const { return !init_ && !stage1_ && !stage2_ && !message_; }
  void advance_sets(const Tuple* tuple, const TaggedThresholds& thresholds, bool msg_ready,
                    uint32_t table_index);

  TaggedCounters counters_;
  HashPipeline hash_stages_;
  std::optional<Tuple> stage1_, stage2_;
  std::optional<Message> message_;
  bool init_ = true;
  uint32_t init_set_ = 0;
  std::optional<uint32_t> read_;  // the entry that was read in the last cycle
  uint32_t table_data_ = 0;
};

}  // namespace strobe::profiling
