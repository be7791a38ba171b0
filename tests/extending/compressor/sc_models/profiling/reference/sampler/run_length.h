// The run-length compressor L_k, without time and cycle by cycle. docs/blocks/run_length.md
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sc_models/port/path_params.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/sampler/compressor_rates.h"
#include "sc_models/profiling/reference/sampler/table_entry.h"
#include "sc_models/profiling/reference/selection/tuple_queue.h"

namespace strobe::profiling {

/// The runs without time; observers use them as they are.
class RunLengthCounters {
 public:
  explicit RunLengthCounters(const PathParams& params)
      : index_shift_(params.index_shift),
        limit_(1u << params.counter_width),
        runs_(params.strata) {}

  /// Counts one tuple. @return the message that falls due, if any
  std::optional<Message> count(const Tuple& tuple, const CompressorRates& rates);

  /// The run at an index modulo the runs; none of a register that holds none.
  const std::optional<Message>& run(uint32_t index) const { return runs_[index % runs_.size()]; }
  /// Appends what every run holds.
  void read_out(std::vector<Message>& messages) const;
  /// Every run has its tuple.
  static uint64_t residue_without_tuples() { return 0; }
  uint64_t residue() const;
  void clear() { runs_.assign(runs_.size(), std::nullopt); }

 private:
  unsigned index_shift_;
  uint32_t limit_;
  std::vector<std::optional<Message>> runs_;
};

/// The block, cycle by cycle: a message register after the runs.
class RunLength {
 public:
  struct Inputs {
    bool clear = false;
    bool valid = false;  // a tuple is offered
    Tuple tuple;
    CompressorRates rates;
    bool msg_ready = false;
    uint32_t table_index = 0;
  };
  struct Outputs {
    bool ready = false;  // combinational from msg_ready; all others from state
    bool msg_valid = false;
    Message message;  // all zero when not valid
    bool idle = false;
    TableEntry table;
  };

  explicit RunLength(const PathParams& params) : counters_(params) {}

  Outputs step(const Inputs& inputs);

  bool ready(bool msg_ready) const { return !message_ || msg_ready; }
  bool msg_valid() const { return message_.has_value(); }
  const Message& message() const { return *message_; }  ///< only when valid
  bool init() const { return false; }
  bool idle() const { return !message_; }
  TableEntry table(uint32_t /*table_index*/) const {
    return TableEntry{table_.has_value(), table_.value_or(Message{})};
  }
  uint64_t residue() const { return counters_.residue(); }

  /// The edge alone; `group` is the tuple offered, empty when none is or it is not ready.
  void advance(const TupleGroup& group, const CompressorRates& rates, bool msg_ready,
               uint32_t table_index);
  void advance_idle(uint32_t table_index) { table_ = counters_.run(table_index); }
  bool settled(uint32_t table_index) const { return table_ == counters_.run(table_index); }
  void clear(uint64_t seed);

 private:
  RunLengthCounters counters_;
  std::optional<Message> message_;
  std::optional<Message> table_;
};

}  // namespace strobe::profiling
