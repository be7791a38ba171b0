// What the stages tell the pipeline view of an instruction, while there is one.
#pragma once

#include <cstdint>

#include "sc_models/core/back_end/operation.h"
#include "sc_models/core/back_end/placing.h"
#include "sc_models/core/back_end/reorder_buffer.h"
#include "sc_models/core/front_end/fetch_runs.h"
#include "sc_models/core/params.h"
#include "sc_models/core/trace/pipeline_trace.h"

namespace strobe::core {

class Tracer {
 public:
  /// Keeps references.
  Tracer(const CoreParams& params, const ReorderBuffer& rob, isa::Hart& hart)
      : params_(params), rob_(rob), hart_(hart) {}

  /// Shows `trace` what becomes of each instruction, until its window is over.
  void set(PipelineTrace* trace) { trace_ = trace; }
  /// Whether there is one, and its window is not over.
  bool on() const { return trace_ != nullptr; }

  /// Nothing that happens before `cycle` will be shown any more.
  [[gnu::cold]] void settle(uint64_t cycle);
  /// The run has come to this cycle, and may end there.
  [[gnu::cold]] void reach(uint64_t cycle) { trace_->reach(cycle); }
  /// What is in flight is flushed in this cycle.
  [[gnu::cold]] void cut(uint64_t cycle) { trace_->cut(cycle); }

  /// `count` instructions of the run from its `first` on, fetched in cycle `fetched_at` and dropped
  /// in cycle `when`. @param position  the number of the first @param pc  where nothing is
  /// executable
  [[gnu::cold]] void squashed(const FetchRun& run, unsigned first, unsigned count,
                              uint64_t position, uint64_t pc, uint64_t fetched_at, uint64_t when);
  /// What the instruction being placed waits for. @param value_at  by register: the cycle
  [[gnu::cold]] void producers(const Operation& op, uint64_t number, const Placing& at,
                               const uint64_t* value_at);
  /// It waits for the data of the store with this number, too.
  [[gnu::cold]] void store_producer(uint64_t number) { life_.producers[3] = number; }
  [[gnu::cold]] void placed(const Operation& op, const RetireRecord& done, const Placing& at,
                            uint64_t commit_at);

 private:
  const CoreParams params_;
  const ReorderBuffer rob_;
  isa::Hart& hart_;
  PipelineTrace* trace_ = nullptr;
  uint64_t writer_[256] = {};  // by register: the number of its last writer
  PipelineTrace::Life life_;   // the instruction's that is being placed
};

}  // namespace strobe::core
