// The associative counter table A_k, cycle by cycle (ISCA 2001, section 3.4).
// docs/blocks/associative_table.md
//
// In hardware a tuple passes three stages. A tuple that leaves stage 3 finds the list as all
// earlier tuples left it, so the model applies the tuple there, in one step.
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/port/path_params.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/sampler/associative_counters.h"
#include "sc_models/profiling/reference/sampler/compressor_rates.h"
#include "sc_models/profiling/reference/sampler/table_entry.h"
#include "sc_models/profiling/reference/selection/tuple_queue.h"

namespace strobe::profiling {

class AssociativeTable {
 public:
  /// The inputs of one cycle.
  struct Inputs {
    bool clear = false;
    bool valid = false;  // a tuple is offered, with its count
    Message in;
    bool msg_ready = false;
    uint32_t table_index = 0;
  };
  struct Outputs {  // from state
    bool ready = false;
    bool msg_valid = false;
    Message message;  // all zero when not valid
    bool idle = false;
    bool table_valid = false;
    Message table;  // all zero when not valid
  };

  /// @param entries         k, a power of two from 4 to 64
  /// @param count_width     W in bits, 1 to 24
  /// @param in_count_width  bits of a tuple's count, 1 to W
  /// Throws std::invalid_argument for a parameter out of range.
  AssociativeTable(unsigned entries, unsigned count_width, unsigned in_count_width);

  /// The first level of a path; every tuple has the count 1.
  explicit AssociativeTable(const PathParams& params)
      : AssociativeTable(params.strata, params.counter_width, 1) {}

  /// One clock cycle: gives the outputs, then takes the edge. Throws std::invalid_argument when the
  /// tuple's count does not fit `in_count_width`.
  Outputs step(const Inputs& inputs);
  Outputs outputs() const;

  /// The outputs one by one; with an argument they have the form that all first levels share.
  bool ready() const { return !spare_.has_value(); }
  bool ready(bool /*msg_ready*/) const { return ready(); }
  bool msg_valid() const { return message_.has_value(); }
  const Message& message() const { return *message_; }  ///< only when valid
  /// The entry that the last read-out found.
  TableEntry table(uint32_t /*table_index*/) const { return table(); }
  TableEntry table() const { return TableEntry{table_.has_value(), table_.value_or(Message{})}; }
  bool init() const { return false; }
  bool idle() const { return in_flight_ == 0 && !message_; }
  /// Sum of the counts that all entries hold.
  uint64_t residue() const { return counters_.residue(); }
  const AssociativeCounters& counters() const { return counters_; }

  /// The edge alone. `in` is the offered tuple, nullptr when none is; it is taken only if ready().
  void advance(const Message* in, bool msg_ready, uint32_t table_index);
  void advance(const TupleGroup& group, const CompressorRates& /*rates*/, bool msg_ready,
               uint32_t table_index) {
    const Message one{group.count == 0 ? Tuple{} : *group.tuple[0], 1};
    advance(group.count == 0 ? nullptr : &one, msg_ready, table_index);
  }
  /// The edge of a cycle in which the table is idle and no tuple is offered: only an entry is read.
  void advance_idle(uint32_t table_index) { advance(nullptr, true, table_index); }
  /// True when another idle cycle with this index changes nothing.
  bool settled(uint32_t table_index) const {
    return table_ == counters_.entry(table_index % counters_.entries());
  }
  void clear();
  void clear(uint64_t /*seed*/) { clear(); }

 private:
  AssociativeCounters counters_;
  uint32_t max_count_;
  std::optional<Message> spare_;  // arrived in the first cycle in which the message waited
  std::array<std::optional<Message>, 3> stages_;
  unsigned in_flight_ = 0;
  std::optional<Message> message_;
  std::optional<Message> table_;
};

}  // namespace strobe::profiling
