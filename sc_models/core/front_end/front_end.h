// The front end of a hart: which instructions are fetched in which cycle, on the right path and on
// the wrong one. One aligned block a cycle along the predicted path. docs/blocks/core.md, "Fetch"
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/core/back_end/reorder_buffer.h"
#include "sc_models/core/cpi/stats.h"
#include "sc_models/core/front_end/fetch_runs.h"
#include "sc_models/core/front_end/predictor.h"
#include "sc_models/core/front_end/wrong_path_decode.h"
#include "sc_models/core/params.h"
#include "sc_models/core/threads/shared_core.h"
#include "sc_models/core/trace/tracer.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/port/timing_port.h"

namespace strobe::core {

/// What fetch takes from one run in one cycle, until it has been executed.
struct FetchGroup {
  const FetchRun* run = nullptr;  // good until the next look-up
  uint64_t pc = 0;
  uint64_t next = 0;        // predicted to come after it
  uint64_t target = 0;      // the one of the direct branch at its end
  uint64_t fetched_at = 0;  // the cycle
  uint64_t missed_at = 0;   // in which its line was asked for, if it was not there; else kNever
  uint64_t generation = 0;  // the hart's, when the code was decoded
  uint32_t predictor_index = 0;
  uint8_t count = 0, done = 0;  // instructions; of them executed
  bool predicted = false;       // its last instruction, by the branch predictor
  bool needs_target = false;    // decode says where the branch at its end goes
  Checkpoint before;            // the predictor's, if predicted

  unsigned left() const { return count - done; }
  void drop() { count = done = 0; }
  /// Where the program goes on after it, as far as decode knows.
  uint64_t known_next() const { return needs_target ? target : next; }
};

class FrontEnd {
 public:
  /// Keeps references. Throws std::invalid_argument when a predictor's size is not usable.
  /// @param share  what another hart on the core leaves; null: there is none
  FrontEnd(const CoreParams& params, isa::Hart& hart, const ReorderBuffer& rob,
           PipelineStats& stats, Tracer& tracer, CoreShare* share);

  void bind(TimingPort& cache) { cache_ = &cache; }
  /// Nothing is in flight: what committed by cycle `committed` has updated the predictor, the rest
  /// does not.
  void clear(uint64_t committed);

  /// The next group of the right path, as far as anybody knows. Nothing is left of the last one.
  void fetch();
  /// Where two harts share the core: the cycle in which fetch() will present its first access.
  uint64_t next_fetch();
  /// While a group waits in decode, fetch goes on to fill the buffer; what it fetches is known only
  /// to a later fetch(). The cycle in which it does so next; kNever: not before more is renamed.
  uint64_t next_ahead();
  /// Takes that cycle for a fetch() to come.
  void claim(uint64_t cycle);
  /// Whether the buffer has room for fetch_width instructions in cycle `cycle`, in which fetch()
  /// takes place next, or claim() when a group waits.
  bool has_room(uint64_t cycle) const;
  /// Fetch goes on at `pc` in cycle `when`.
  void redirect(uint64_t pc, uint64_t when);
  /// What fetch takes from here to cycle `until`, where it is dropped: the wrong path, or what
  /// comes after an instruction that turns out to lead elsewhere. The instructions have the numbers
  /// from `position` on.
  void fetch_wrong_path(uint64_t position, uint64_t until, bool mispredicted);
  /// What is left of the group, and what fetch has taken after it by cycle `when`, is dropped then.
  void drop_younger(uint64_t when);
  /// The instruction before the rest of the group was mispredicted, which is found out in cycle
  /// `resolved_at`: the rest and what is fetched until then is the wrong path.
  void leave_path(const RetireRecord& branch, uint64_t resolved_at);
  /// The target of the direct branch at the group's end was not in the target buffer. Decode has it
  /// in cycle `decoded_at`; what comes after the branch was fetched for nothing.
  void supply_target(uint64_t decoded_at);
  /// With perfect prediction: what is left of the group is fetched no earlier than in cycle `when`.
  void refetch(uint64_t when);
  /// With perfect prediction: the program goes on at `pc`.
  void follow(uint64_t pc) {
    fetch_pc_ = pc;
    fetch_left_ = 0;
  }
  /// The run has stopped: the view shows what is left of the group as dropped.
  void trace_left();

  /// A control instruction of the program was placed and commits in cycle `commit_at`, in which it
  /// updates the predictor.
  void add_update(const RetireRecord& done, uint64_t commit_at);
  /// The control instructions that have committed by cycle `through` update the predictor.
  void update_predictor(uint64_t through) {
    while (updates_head_ < updates_tail_ && oldest_update().commit_at <= through) apply_oldest();
  }

  Predictor& predictor() { return predictor_; }
  WrongPathDecode& wrong_path() { return wrong_path_; }
  FetchGroup& group() { return group_; }
  const FetchGroup& group() const { return group_; }
  uint64_t pc() const { return fetch_pc_; }
  uint64_t cycle() const { return fetch_cycle_; }

 private:
  // A committed control instruction updates the predictor in the cycle of its commit.
  struct PredictorUpdate {
    uint64_t commit_at, pc, target;
    uint32_t index;
    OpClass opclass;
    bool taken, machine;
  };

  const PredictorUpdate& oldest_update() const { return updates_[rob_.place_of(updates_head_)]; }
  void apply_oldest();
  unsigned fetch_from(const FetchRun& run, uint64_t position, uint64_t until);
  void take_fetch_slot(uint64_t until);
  bool lines_ready(uint64_t first, uint64_t last, uint64_t until);
  bool line_ready(uint64_t number, uint64_t until);
  void rename_wrong_path(uint64_t position, unsigned count, uint64_t until);
  uint64_t rename_before(uint64_t position, uint64_t end, uint64_t from, uint64_t until);
  void pass_rest_of_group(uint64_t until);
  void trace_squashed(const FetchRun& run, unsigned first, unsigned count, uint64_t position,
                      uint64_t when) {
    tracer_.squashed(run, first, count, position, fetch_pc_, fetch_cycle_, when);
  }

  const CoreParams params_;
  isa::Hart& hart_;
  ReorderBuffer rob_;
  PipelineStats& stats_;
  Tracer& tracer_;
  CoreShare* const share_;
  TimingPort* cache_ = nullptr;
  Predictor predictor_;
  const bool perfect_;
  // Powers of two as shifts: these are looked at for every instruction.
  const unsigned block_bits_, line_bits_;
  FetchRunTable run_table_;
  WrongPathDecode wrong_path_;

  uint64_t fetch_pc_ = 0;
  uint64_t fetch_cycle_ = 0;     // in which fetch is
  unsigned fetch_left_ = 0;      // instructions it can still take in it
  uint64_t fetch_block_ = 0;     // the block of those it has taken; kNever: none yet
  uint64_t missed_at_ = kNever;  // as in FetchGroup
  uint64_t lines_in_hand_[2] = {~uint64_t{0}, ~uint64_t{0}};  // the last two instruction lines
  FetchGroup group_;
  // How far fetch has claimed cycles: the number and, in straight code, the address of the next
  // instruction, and the last cycle.
  uint64_t ahead_ = 0, ahead_pc_ = 0, ahead_cycle_ = 0;
  std::vector<PredictorUpdate> updates_;  // a ring
  uint64_t updates_head_ = 0, updates_tail_ = 0;
};

}  // namespace strobe::core
