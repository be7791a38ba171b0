// The stratified samplers H[X_r]_n, cycle by cycle (ISCA 2001, sections 3.1 to 3.5).
// docs/blocks/stratified_sampler.md
//
// In hardware a tuple reads its stratum's state for stage 1 and writes it in stage 2, and a write
// is forwarded to a read of the same cycle. A tuple in stage 2 thus holds what the table holds, so
// the model counts on the table itself in stage 2.
#pragma once

#include <cstdint>

#include "sc_models/port/path_params.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/common/lfsr.h"
#include "sc_models/profiling/reference/hash/hash_pipeline.h"
#include "sc_models/profiling/reference/sampler/compressor_rates.h"
#include "sc_models/profiling/reference/sampler/stratified_counters.h"
#include "sc_models/profiling/reference/sampler/table_entry.h"
#include "sc_models/profiling/reference/selection/tuple_queue.h"

namespace strobe::profiling {

/// One tuple a cycle. A message stops the stages until it is taken.
class StratifiedSampler {
 public:
  struct Inputs {
    bool clear = false;
    bool valid = false;  // a tuple is offered
    Tuple tuple;
    SamplingRate rate;
    uint64_t seed = 0;  // loaded by a clear
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
  explicit StratifiedSampler(const SamplerParams& params);
  /// The sampler of a path with these parameters.
  explicit StratifiedSampler(const PathParams& params)
      : StratifiedSampler(sampler_params(params)) {}

  /// One clock cycle: gives the outputs, then takes the edge. Throws std::invalid_argument when the
  /// period does not fit the counters.
  Outputs step(const Inputs& inputs);
  Outputs outputs(bool msg_ready) const;

  bool ready(bool msg_ready) const {
    const bool counts = !init_ && (!message_valid_ || msg_ready);
    return hash_stages_.has_stages() ? hash_stages_.ready(counts) : counts;
  }
  bool msg_valid() const { return message_valid_; }
  const Message& message() const { return message_; }
  bool init() const { return init_; }
  bool idle() const { return strata_idle() && hash_stages_.idle(); }
  /// The state of the stratum that the last read-out found.
  uint32_t table_data() const { return table_data_; }
  TableEntry table(uint32_t /*table_index*/) const { return entry_of_count(table_data_); }
  /// Sum of the counts that all strata hold.
  uint64_t residue() const { return counters_.residue(); }
  const StratifiedCounters& counters() const { return counters_; }
  /// The hash takes stages of its own, upstream of the sampler's.
  bool has_hash_stages() const { return hash_stages_.has_stages(); }

  /// The edge alone. `tuple` is the offered one, nullptr when none is or the sampler is not ready.
  void advance(const Tuple* tuple, const SamplingRate& rate, bool msg_ready, uint32_t table_index) {
    if (hash_stages_.has_stages()) {
      advance_hash(tuple, rate, msg_ready, table_index);
    } else {
      advance_strata(tuple, rate, msg_ready, table_index);
    }
  }
  void advance(const TupleGroup& group, const CompressorRates& rates, bool msg_ready,
               uint32_t table_index) {
    advance(group.only(), rates.sampling, msg_ready, table_index);
  }
  /// The same for a tuple whose stratum is known: the edge of one bank.
  void advance(const Tuple* tuple, uint32_t stratum, const SamplingRate& rate, bool msg_ready,
               uint32_t table_index);
  /// The edge of a cycle in which the sampler is idle and no tuple is offered: only the table is
  /// read.
  void advance_idle(uint32_t table_index) {
    take_read();
    read_valid_ = true;
    read_data_ = counters_.counter(table_index);
  }
  /// Several edges of such cycles.
  void rest(uint32_t table_index) {
    read_valid_ = true;
    table_data_ = read_data_ = counters_.counter(table_index);
  }
  /// Counts one tuple immediately, without its stages, which must be empty.
  /// @return the count of the message that falls due, or 0
  uint32_t count(const Tuple& tuple, const SamplingRate& rate) {
    return counters_.add(counters_.index(tuple) & (counters_.entries() - 1), rate, chance(rate));
  }
  /// True when another idle cycle with this index changes nothing.
  bool settled(uint32_t table_index) const {
    const uint32_t counter = counters_.counter(table_index);
    return read_valid_ && read_data_ == counter && table_data_ == counter;
  }
  void clear(uint64_t seed);

 private:
  struct Stage {
    bool valid = false;
    uint32_t index = 0;
    Tuple tuple;
    Draw draw;
  };

  bool strata_idle() const { return !init_ && !stage1_.valid && !stage2_.valid && !message_valid_; }
  void advance_hash(const Tuple* tuple, const SamplingRate& rate, bool msg_ready,
                    uint32_t table_index);
  void advance_strata(const Tuple* tuple, const SamplingRate& rate, bool msg_ready,
                      uint32_t table_index) {
    advance(tuple, tuple == nullptr ? 0 : counters_.index(*tuple), rate, msg_ready, table_index);
  }
  /// The random outcome for the next tuple. A periodic sampler takes no random number.
  Draw chance(const SamplingRate& rate) {
    if (counters_.params().kind == SamplerKind::kPeriodic) return Draw{};
    const Draw drawn = draw(lfsr_.number(), rate);
    lfsr_.step();
    return drawn;
  }
  void take_read() {
    if (read_valid_) table_data_ = read_data_;
    read_valid_ = false;
  }
  void initialize();

  StratifiedCounters counters_;
  HashPipeline hash_stages_;
  Lfsr lfsr_;
  Stage stage1_, stage2_;
  bool message_valid_ = false;
  Message message_;
  bool init_ = true;
  uint32_t init_index_ = 0;
  bool read_valid_ = false;  // the RAM's output register holds a table read-out
  uint32_t read_data_ = 0;
  uint32_t table_data_ = 0;
};

}  // namespace strobe::profiling
