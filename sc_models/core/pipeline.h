// The out-of-order pipeline: plain C++, no SystemC. Instructions are placed, not moved.
//
// The hart executes instructions in program order. Each is placed as soon as it is executed: the
// cycles in which it is fetched, decoded, renamed, issued, completed and committed follow from
// those of the instructions before it, from the slots and units they have left, and from what the
// caches answer. Nothing is done by cycle but what the world outside sees: commit, in deliver.cpp.
// docs/blocks/core.md has the rules.
//
//   front_end.cpp   where fetch goes and in which cycle; the wrong path
//   execute.cpp     decode: the hart, interrupts, what serializes
//   expansion.cpp   decode: replacement sequences of the decode engine
//   place.cpp       rename, issue, memory, completion
//   deliver.cpp     commit as the retire sink sees it, cycle by cycle
//   cpi.cpp         where the cycles went
//
// Instructions have ever-rising numbers; the rings are indexed by them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/core/cpi.h"
#include "sc_models/core/fetch_runs.h"
#include "sc_models/core/issue_slots.h"
#include "sc_models/core/params.h"
#include "sc_models/core/pipeline_trace.h"
#include "sc_models/core/predictor.h"
#include "sc_models/core/stats.h"
#include "sc_models/isa/hart.h"
#include "sc_models/port/decode_engine.h"
#include "sc_models/port/retire_sink.h"
#include "sc_models/port/timing_port.h"

namespace strobe::core {

enum class CoreStop : uint8_t {
  kNone,       // still running (a pipeline stopped at the end of its quantum)
  kHart,       // Hart::step said kStopped, and everything older has committed
  kUserLimit,  // the U-mode instruction budget is used up
  kCycleLimit,
  kInstructionLimit,  // the budget of both modes together
  kDeadlock,          // no commit for watchdog_cycles
  kCancelled,         // the progress callback said so
  kInterval,          // an interval of the statistics has ended; nothing else happened
};
const char* stop_name(CoreStop stop);

class Pipeline {
 public:
  /// Later than any cycle, and far enough from the end to be added to.
  static constexpr uint64_t kNever = uint64_t{1} << 62;

  /// Throws std::invalid_argument when a parameter is not usable.
  Pipeline(const CoreParams& params, isa::Hart& hart);

  void bind_caches(TimingPort& instructions, TimingPort& data);
  void set_retire_sink(RetireSink* sink) { sink_ = sink; }
  /// Other harts share the memory: a store is presented to the data cache no later than run() ends.
  void share_memory() { shared_ = true; }

  /// Shows `trace` what becomes of each instruction, until its window is over. Before the first
  /// run.
  void set_trace(PipelineTrace* trace) { trace_ = trace; }
  /// The hart's programs are edited by `engine`, which must outlive the runs. Before the first.
  void set_decode_engine(DecodeEngine& engine, const ExpansionParams& params);

  /// Drops everything in flight; fetch starts at the hart's pc.
  void restart();
  /// Runs until cycle `until` or a stop.
  CoreStop run(uint64_t until);
  /// Stops in the cycle in which user_committed() reaches `limit`, exactly there; kNever: no limit.
  void set_user_limit(uint64_t limit) { user_limit_ = limit; }

  /// From now on stops with kInterval in the first cycle in which another `user_instructions` have
  /// committed; 0: no more. Changes nothing else: run() goes on as if it had not stopped.
  void set_interval(uint64_t user_instructions);

  /// The environment reports the cycle at which the device access of the present step is answered.
  void device_answers_at(uint64_t cycle) { device_answer_ = cycle; }

  /// For warming, between restart() and the next run.
  Predictor& predictor() { return predictor_; }

  uint64_t cycle() const { return cycle_; }
  /// No cache will be asked about an earlier cycle than this, cycle() or one before it.
  uint64_t settled() const { return std::min(cycle_, fetch_cycle_); }
  uint64_t user_committed() const { return user_committed_; }
  uint64_t committed() const { return committed_; }  // both modes; neither is ever reset
  bool drained() const { return head_ == placed_; }
  const PipelineStats& stats() const;
  void reset_statistics();
  std::string dump_state() const;

 private:
  static constexpr unsigned kGranules = 512;

  // What fetch takes from one run in one cycle, until it has been executed.
  struct Piece {
    const FetchRun* run = nullptr;  // good until the next look-up
    uint64_t pc = 0;
    uint64_t next = 0;        // predicted to come behind it
    uint64_t target = 0;      // of the direct branch at its end
    uint64_t fetched_at = 0;  // the cycle
    uint64_t missed_at = 0;   // in which its line was asked for, if it was not there; else kNever
    uint64_t generation = 0;  // of the hart's decoded code
    uint32_t predictor_index = 0;
    uint8_t count = 0, done = 0;  // instructions; of them executed
    bool predicted = false;       // its last instruction, by the branch predictor
    bool needs_target = false;    // decode says where the branch at its end goes
    Checkpoint before;            // the predictor's, if predicted
  };
  // A committed control instruction teaches the predictor in the cycle of its commit.
  struct Lesson {
    uint64_t commit_at, pc, target;
    uint32_t index;
    OpClass opclass;
    bool taken;
  };
  static constexpr uint64_t kUnwritten = ~uint64_t{0};
  struct Store {
    uint64_t address = 0;
    uint64_t number = 0;  // of its instruction
    uint64_t done_at = 0;
    uint64_t written_at = kUnwritten;
    uint32_t size = 0;
  };
  struct Forward {  // the store a load overlaps
    const Store* store = nullptr;
    bool full_cover = false;
  };
  // Where the cycles go in which an instruction is the oldest: up to and with cycle end[i] to
  // what[i], then to the next; the last end is kNever.
  struct Held {
    static constexpr unsigned kMost = 7;
    uint64_t end[kMost] = {kNever};
    CpiClass what[kMost] = {CpiClass::kDependency};
    bool fixed = false;  // even while an interrupt waits
  };
  // Of the instruction being placed.
  struct Placing {
    // From the caller.
    uint64_t decoded;
    uint32_t serial_latency;
    bool serial, mispredicted;
    // Cycles, in their order.
    uint64_t rename_from, renamed, ready, issued, address_at, accepted, done;
    CpiClass waiting_class, level;  // until `accepted` and behind it, of a load
  };

  // front_end.cpp
  void fetch();
  unsigned fetch_from(const FetchRun& run, uint64_t position, uint64_t until);
  bool lines_ready(uint64_t first, uint64_t last, uint64_t until);
  bool line_ready(uint64_t number, uint64_t until);
  void fetch_in_vain(uint64_t position, uint64_t until, bool wrong_path);
  void pass_wrong_path(uint64_t position, unsigned count, uint64_t until);
  void drop_behind(uint64_t when);
  void redirect(uint64_t pc, uint64_t when);
  void learn(uint64_t through);
  // execute.cpp
  bool execute(uint64_t until);
  bool execute_run();
  void execute_one();
  void end_piece(const RetireRecord& last, uint64_t done_at);
  void leave_path(const RetireRecord& branch, uint64_t resolved_at);
  void pass_rest(unsigned left, uint64_t until);
  void leave_for_handler();
  void finish_serial(const RetireRecord& done, bool flush);
  void forget_piece(uint64_t when);
  // Where the program goes on behind the piece, as far as decode knows.
  uint64_t known_next() const { return piece_.needs_target ? piece_.target : piece_.next; }
  bool interrupt(uint64_t until);
  bool idle(uint64_t until);
  uint64_t execution_cycle() const;
  // The cycle of decode of the next instruction, which is executed now.
  template <bool kPlain>
  uint64_t decoded_now() {
    const uint64_t room_at = renamed(placed_ - params_.decode_width);
    if (kPlain || !perfect_) return decode_at_ = std::max(decode_at_, room_at);
    return std::max(piece_.fetched_at + params_.front_end_stages - 1, room_at);
  }
  // expansion.cpp
  bool sequence_ready();
  void present_wrong_path(const FetchRun& run, unsigned count, uint64_t position, uint64_t until);
  void leave_wrong_path();
  // place.cpp
  uint64_t place_run(const Operation* operations, const RetireRecord* done, unsigned count,
                     bool mispredicted);
  uint64_t place(const Operation& op, const RetireRecord& done, Placing& at);
  template <bool kPlain>
  uint64_t place_as(const Operation& op, const RetireRecord& done, Placing& at);
  template <bool kPlain>
  uint64_t place_all(const Operation* operations, const RetireRecord* done, unsigned count,
                     bool mispredicted);
  void wait_in_rename(const Operation& op, Placing& at);
  void hold(uint64_t through, CpiClass what) {
    wait_class_ = what;
    waited_through_ = through;
  }
  // The cycle in which there is room in the load or store queue.
  uint64_t queue_room_at(OpClass opclass) {
    if (opclass == OpClass::kStore) return store_room_at();
    return loads_[(loads_tail_ - params_.load_queue) & loads_mask_];
  }
  uint64_t store_room_at();
  void place_access(const Operation& op, uint64_t address, uint64_t number, Placing& at);
  void access(const Operation& op, uint64_t address, const Forward& forward, Placing& at);
  uint64_t access_data(uint64_t address, unsigned size, AccessKind kind, uint64_t at);
  Forward find_overlapping_store(uint64_t address, unsigned size, uint64_t renamed_at);
  bool write_store(uint64_t through);
  // Those that can be by then.
  void write_stores(uint64_t through) {
    while (stores_written_ < stores_tail_ && write_store(through)) {
    }
  }
  uint64_t all_written_at(uint64_t until);
  void note_control(const RetireRecord& done, uint32_t index);
  CpiClass level_of(uint64_t cycles) const;
  // deliver.cpp
  void deliver(uint64_t through);
  // When all that has been executed will have committed. Where a limit has put off commits, not all
  // may have by then: the next cycle.
  uint64_t drained_at() const {
    return last_commit_ < delivered_ && !drained() ? delivered_ : last_commit_;
  }
  bool interrupt_waits() const { return hart_.interrupt_pending() && !draining_ && !hart_stopped_; }
  template <bool kPicks>
  unsigned commit(uint64_t cycle, unsigned* picks);
  void show(uint64_t cycle, unsigned count, unsigned picks);
  void ask_sink() {
    if (sink_ == nullptr) return;
    interest_ = sink_->interest();
    picks_ = interest_.injected || !(interest_.kinds == RetireKinds());
  }
  uint64_t limited(uint64_t first, uint64_t end, uint64_t cycle);
  // cpi.cpp
  void note_held(const Operation& op, const RetireRecord& done, const Placing& at, uint64_t number);
  // One class for this cycle, behind commit. Commits of less than the full width are saved up
  // until they make a cycle of it.
  void account(uint64_t cycle) {
    if (base_credit_ < params_.commit_width) return account_quiet(cycle, cycle);
    base_credit_ -= params_.commit_width;
    charge(cycle, cycle, CpiClass::kBase);
  }
  void account_quiet(uint64_t from, uint64_t through);
  void charge(uint64_t from, uint64_t through, CpiClass what) {
    stats_.cpi[static_cast<unsigned>(what)] += through + 1 - from;
  }
  void start_refill(CpiClass why) {
    refill_ = why;
    refill_mark_ = placed_;
  }
  static CpiClass serial_class(const RetireRecord& record);
  // tracing.cpp
  [[gnu::cold]] void settle_trace(uint64_t cycle);
  [[gnu::cold]] void trace_stopped();
  [[gnu::cold]] void trace_squashed(const FetchRun& run, unsigned first, unsigned count,
                                    uint64_t position, uint64_t when);
  [[gnu::cold]] void trace_producers(const Operation& op, uint64_t number, const Placing& at);
  [[gnu::cold]] void trace_placed(const Operation& op, const RetireRecord& done, const Placing& at);

  RetireRecord& record(uint64_t number) { return records_[number & mask_]; }
  uint64_t& renamed(uint64_t number) { return renamed_[number & mask_]; }
  uint64_t& committed_at(uint64_t number) { return committed_at_[number & mask_]; }
  Store& store(uint64_t number) { return stores_[number & stores_mask_]; }

  const CoreParams params_;
  isa::Hart& hart_;
  TimingPort* icache_ = nullptr;
  TimingPort* dcache_ = nullptr;
  RetireSink* sink_ = nullptr;
  RetireInterest interest_;  // of the sink
  bool picks_ = false;       // there are instructions it is called for
  bool shared_ = false;
  // Through which cycle stores may be presented early, for the loads behind them.
  uint64_t visible_until_ = kNever;
  PipelineTrace* trace_ = nullptr;  // null: none, or its window is over
  Predictor predictor_;
  const bool perfect_;
  mutable PipelineStats stats_;
  uint64_t cycle_ = 0, stats_since_ = 0;
  CoreStop stop_ = CoreStop::kNone;

  // Powers of two as shifts: these are looked at for every instruction.
  const unsigned fetch_block_bits_, instruction_line_bits_, data_line_bits_;

  // Front end.
  FetchRunTable run_table_;
  uint64_t fetch_pc_ = 0;
  uint64_t fetch_cycle_ = 0;     // in which fetch is
  unsigned fetch_left_ = 0;      // instructions it can still take in it
  uint64_t fetch_block_ = 0;     // of those it has taken; kNever: none yet
  uint64_t missed_at_ = kNever;  // as in Piece
  uint64_t lines_in_hand_[2] = {~uint64_t{0}, ~uint64_t{0}};  // the last two instruction lines
  Piece piece_;
  Operation described_[FetchRun::kMost];  // of the piece, where other code has been executed
  std::vector<Lesson> lessons_;
  uint64_t lessons_head_ = 0, lessons_tail_ = 0;

  // Decode.
  uint64_t decode_at_ = 0;     // of the last instruction
  uint64_t serial_until_ = 0;  // nothing is decoded before: a serializing instruction commits then
  uint64_t device_answer_ = 0;
  bool stores_first_ = false;  // it waits for the stores, too
  bool hart_stopped_ = false;
  bool waiting_for_interrupt_ = false;
  bool draining_ = false;  // for an interrupt, which then is pending and enabled

  // The decode engine; null: none.
  DecodeEngine* engine_ = nullptr;
  ExpansionParams expansion_;
  uint64_t wrong_branch_pc_ = 0;       // of the mispredicted branch whose wrong path is fetched
  uint64_t engine_from_ = 0;           // wrong-path instructions before it have been presented
  bool engine_on_wrong_path_ = false;  // it has seen instructions of the present one
  DecodeCheckpoint right_path_;        // its state before them

  // By number: [head_, placed_) are in flight, as far as deliver() has come.
  std::vector<RetireRecord> records_;
  std::vector<uint64_t> renamed_, committed_at_;
  std::vector<Held> held_;
  uint64_t mask_ = 0;
  uint64_t head_ = 0, placed_ = 0;
  uint64_t last_renamed_ = 0, last_commit_ = 0;

  uint64_t value_at_[256] = {};  // by register: the cycle its value is there
  UnitParams unit_[kUnitCount];
  IssueSlots slots_;
  std::vector<uint64_t> loads_;  // by load number: cycle of commit
  uint64_t loads_mask_ = 0, loads_tail_ = 0;
  std::vector<Store> stores_;
  uint64_t stores_mask_ = 0;
  uint64_t stores_written_ = 0, stores_tail_ = 0;  // [written, tail) have not been presented
  uint64_t write_at_ = 0;                          // no store is written before this cycle
  bool write_refused_ = false;                     // the last one, by the data cache
  uint64_t stores_gone_ = 0;           // below it all were written before rename's present cycle
  uint64_t store_of_[kGranules] = {};  // by hashed eight bytes: number + 1 of the last store there

  // Delivery.
  uint64_t delivered_ = 0;  // the first cycle that the sink has not been shown
  uint64_t last_progress_ = 0;
  uint64_t committed_ = 0, user_committed_ = 0, user_limit_ = ~uint64_t{0};
  uint64_t interval_ = 0, interval_at_ = ~uint64_t{0};

  // CPI stack.
  CpiClass refill_ = CpiClass::kFetch;      // why the front end has nothing, until an instruction
  uint64_t refill_mark_ = 0;                // with this number or a later one has committed
  CpiClass wait_class_ = CpiClass::kFetch;  // what rename last waited for in the back end,
  uint64_t waited_through_ = 0;             // and the cycle in which it went on
  uint64_t base_credit_ = 0;                // committed, less commit_width for each base cycle

  const RetireRecord* picked_[kMaxRetireWidth] = {};  // of the cycle that is delivered
  RetireRecord lanes_[kMaxRetireWidth];

  // For the trace only: the last writer of each register, the instruction being placed.
  uint64_t writer_[256] = {};
  PipelineTrace::Life life_;
};

}  // namespace strobe::core
