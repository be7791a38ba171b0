// The clocked out-of-order pipeline: plain C++, one call a cycle, no SystemC.
//
// The hart executes instructions in program order when they are decoded; the pipeline decides when
// each would have been fetched, renamed, issued, completed and committed. One cycle calls the
// stages last to first (commit, writeback, issue, rename, decode, fetch), so what a stage writes is
// seen by the stages before it in the same cycle and by the stages after it in the next.
// docs/blocks/core.md has the rules and the figure. Each stage has its own source file; this header
// is the state they share, flat rings indexed by ever-rising sequence numbers, so that nothing is
// allocated or moved.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/core/cpi.h"
#include "sc_models/core/fetch_runs.h"
#include "sc_models/core/params.h"
#include "sc_models/core/pipeline_trace.h"
#include "sc_models/core/predictor.h"
#include "sc_models/core/stats.h"
#include "sc_models/isa/hart.h"
#include "sc_models/port/retire.h"
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
  static constexpr uint64_t kNever = ~uint64_t{0};

  /// Throws std::invalid_argument when a parameter is not usable.
  Pipeline(const CoreParams& params, isa::Hart& hart);

  void bind_caches(TimingPort& instructions, TimingPort& data);
  void set_retire_sink(RetireSink* sink) { sink_ = sink; }
  /// From this cycle on every stage reports to `trace`, once open()ed here; null: to nobody.
  void set_trace(PipelineTrace* trace);

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
  uint64_t user_committed() const { return user_committed_; }
  uint64_t committed() const { return committed_; }  // both modes; neither is ever reset
  bool drained() const { return rob_head_ == records_tail_; }
  const PipelineStats& stats() const;
  void reset_statistics();
  std::string dump_state() const;

 private:
  enum Unit : uint8_t { kAluUnit, kMulUnit, kDivUnit, kFpUnit, kFpDivUnit, kMemUnit, kUnitCount };
  static constexpr uint32_t kNoNode = ~uint32_t{0};
  static constexpr unsigned kNodesPerEntry = 4;  // three sources and the store a load waits for
  static constexpr uint64_t kWheelSize = 256;
  static constexpr unsigned kFilterSize = 256;
  static constexpr unsigned kStoresPerCycle = 1;  // write port of the first-level data cache

  // A run of instructions between fetch and decode.
  struct alignas(64) FetchedRun {
    uint64_t pc = 0;
    uint64_t next = 0;        // predicted to come behind it
    uint64_t end = 0;         // front position behind it
    uint64_t rename_at = 0;   // earliest cycle of rename
    uint64_t target = 0;      // of the direct branch at its end
    uint32_t checkpoint = 0;  // number of the first predictor checkpoint in it or behind it
    uint32_t predictor_index = 0;
    bool needs_target = false;  // decode says where the branch at its end goes
    uint8_t count = 0;          // instructions; sequences of the decode engine are not counted
    uint8_t edited = 0;         // as in FetchRun
  };
  // No field of an entry is a uint8_t: a store to one may change anything, as the compiler sees it.
  enum class RobState : uint8_t { kWaiting, kExecuting, kAddress, kMemory };
  enum class Memory : uint8_t { kNone, kStore, kLoad, kAmo };  // through the data cache
  // What decode has found out for the stages behind it; copied as one word.
  struct alignas(4) Traits {
    Memory memory = Memory::kNone;
    bool serial = false;  // nothing younger is decoded until it commits
    bool flush = false;   // fetch starts anew behind it
    bool mispredicted = false;
  };
  // What rename needs of an instruction that the hart has executed.
  struct FrontEntry : Traits {
    uint64_t rename_at = 0;
    uint64_t address = 0;
    uint32_t predictor_index = 0;
    uint32_t serial_latency = 0;
    isa::TimingRegisters registers;
    uint16_t mem_size = 0;
    OpClass opclass = OpClass::kAlu;
  };
  struct alignas(64) RobEntry : Traits {
    uint64_t done_at = kNever;  // the cycle its result is there; kNever: not known yet
    uint64_t ready_at = 0;      // first cycle in which it could issue, as far as is known
    uint64_t address = 0;
    uint64_t forward_store = 0;  // store-queue number + 1 of the store a load overlaps; 0: none
    uint32_t consumers = kNoNode;
    uint32_t latency = 0;
    uint32_t predictor_index = 0;
    uint32_t pending = 0;  // producers whose done_at is not known
    uint16_t mem_size = 0;
    Unit unit = kAluUnit;
    RobState state = RobState::kWaiting;
    CpiClass cpi = CpiClass::kBase;  // of the cycles in which it is the oldest
    bool full_cover = false;
  };
  // What keeps an instruction from issuing, while it is dispatched.
  struct Wait {
    uint64_t ready_at;  // as in RobEntry, like the next
    uint32_t pending = 0;
    bool any = false;  // there was something to wait for
  };
  struct AddressEvent {
    uint64_t at = 0;
    uint32_t slot = 0;
  };
  struct StoreEntry {
    uint64_t address = 0;
    uint64_t rob = 0;  // sequence number of its instruction
    uint32_t size = 0;
  };

  struct WrongBranch {  // the mispredicted branch
    uint64_t pc = 0, fall_through = 0, target = 0;
    Checkpoint before;
    OpClass opclass = OpClass::kAlu;
  };

  // fetch.cpp
  void fetch();
  void fetch_block(uint64_t end);
  void fetch_perfectly(uint64_t end);
  bool bytes_ready(uint64_t first, uint64_t last);
  bool line_ready(uint64_t number);
  FetchedRun& push_fetched(unsigned count, unsigned bytes);
  void predict(FetchedRun& run, const isa::DecodedInsn& insn, uint64_t behind);
  Checkpoint checkpoint_before(const FetchedRun& run) const;
  uint64_t run_of(uint64_t position) const;
  void redirect(uint64_t pc, uint64_t when);
  void squash_younger(uint64_t first);
  // decode.cpp
  void decode();
  bool decode_right_path(FetchedRun& run, uint64_t end, bool stepping);
  void decode_wrong_path(FetchedRun& run, uint64_t end);
  bool may_step();
  bool step(const FetchedRun& run, uint64_t position);
  bool step_run(FetchedRun& run, uint64_t end);
  static void describe(FrontEntry& entry, const isa::DecodedInsn& insn, const FetchedRun& run);
  void pass(uint64_t position);
  void leave_path(const FetchedRun& run, uint64_t position, RetireRecord& done);
  void begin_serial(FrontEntry& entry, const RetireRecord& done, bool as_predicted);
  void compute_target(FetchedRun& run);
  void refetch(uint64_t pc);
  // expansion.cpp
  bool sequence_ready();
  bool follow_sequence(uint64_t position, const RetireRecord& done, bool was_in_handler,
                       bool as_predicted);
  void insert_behind(uint64_t position, const RetireRecord& done);
  void present_wrong_path(const FetchedRun& run, uint64_t end);
  void leave_wrong_path();
  // rename.cpp
  void rename();
  uint64_t rename_right_path(uint64_t end);
  void rename_wrong_path(uint64_t end);
  bool queue_has_room(OpClass opclass);
  void dispatch(const FrontEntry& from);
  void enter_queue(RobEntry& entry, uint64_t number, Wait& wait);
  void depend(Wait& wait, uint32_t node, uint64_t producer);
  void find_overlapping_store(RobEntry& entry, uint32_t slot, Wait& wait);
  // issue.cpp
  void issue();
  void start(uint32_t slot);
  bool take_unit(Unit unit);
  void make_ready(uint32_t slot) {
    ready_[slot / 64] |= uint64_t{1} << slot % 64;
    ready_words_ |= uint64_t{1} << slot / 64;
  }
  // writeback.cpp
  void writeback();
  void retry_loads();
  void address_known(uint32_t slot);
  bool access_memory(uint32_t slot);
  uint64_t access_data(uint64_t address, unsigned size, AccessKind kind);
  void result_at(RobEntry& entry, uint64_t cycle);
  void wake_at(uint32_t slot, uint64_t cycle);
  void wake_up();
  void resolve_misprediction();
  [[gnu::cold]] void trace_completed();
  // commit.cpp
  void commit();
  unsigned commit_ready();
  unsigned retire(unsigned most);
  void retire_control(const RobEntry& entry, const RetireRecord& record);
  void end_serial(const RobEntry& entry, const RetireRecord& record);
  void drain_stores();
  void filter_add(uint64_t address, unsigned size, int change);
  // tracing.cpp
  [[gnu::cold]] void trace_fetched(uint64_t first);
  template <typename Visitor>
  void visit_fetched(uint64_t first, Visitor visit);
  // cpi.cpp
  void account_cycle(unsigned count);
  CpiClass lost_cycle() const;
  CpiClass empty_rob_class() const;
  CpiClass waiting_class(const RobEntry& entry) const;
  CpiClass level_of(uint64_t cycles) const;
  // An instruction that waits for no operand is not what limits the pipeline: whatever kept it from
  // rename until now is.
  CpiClass dispatch_class(uint64_t rename_at, bool waits) const {
    if (waits) return CpiClass::kDependency;
    return cycle_ > rename_at && held_at_ + 1 == cycle_ ? held_ : CpiClass::kFetch;
  }
  bool hold(uint64_t& stall, CpiClass what);
  static CpiClass serial_class(const RetireRecord& record);
  void start_refill(CpiClass why) {
    refill_ = why;
    refill_mark_ = rob_tail_;
  }
  // pipeline.cpp
  void one_cycle();
  uint64_t quiet_until(uint64_t limit) const;
  void skip_quiet_cycles(uint64_t limit);
  void clear_backend();
  bool stores_empty() const { return stores_head_ == stores_tail_; }

  FetchedRun& fetched_run(uint64_t number) { return runs_[number & runs_mask_]; }
  FrontEntry& front(uint64_t position) { return front_[position & front_mask_]; }
  RobEntry& rob(uint64_t number) { return rob_[number & rob_mask_]; }
  RetireRecord& record(uint64_t number) { return records_[number & records_mask_]; }
  const RetireRecord& record(uint64_t number) const { return records_[number & records_mask_]; }
  bool on_wrong_path(uint64_t position) const { return position >= wrong_from_; }

  const CoreParams params_;
  isa::Hart& hart_;
  TimingPort* icache_ = nullptr;
  TimingPort* dcache_ = nullptr;
  RetireSink* sink_ = nullptr;
  PipelineTrace* trace_ = nullptr;  // null unless its window is open
  Predictor predictor_;
  const bool perfect_;
  mutable PipelineStats stats_;
  uint64_t cycle_ = 0, stats_since_ = 0;
  CoreStop stop_ = CoreStop::kNone;
  bool active_ = false;  // some stage did something in this cycle

  // Powers of two as shifts: these are looked at for every instruction.
  const unsigned fetch_block_bits_, instruction_line_bits_, data_line_bits_;

  // Fetch.
  uint64_t fetch_pc_ = 0;
  uint64_t fetch_at_ = 0;                         // no fetch before this cycle
  uint64_t lines_in_hand_[2] = {kNever, kNever};  // numbers of the last two instruction lines
  bool fetch_blocked_ = false;                    // nothing to fetch until a redirect
  FetchRunTable run_table_;
  std::vector<FetchedRun> runs_;
  uint64_t runs_mask_ = 0;
  uint64_t runs_decoding_ = 1, runs_tail_ = 1;  // run 0 is empty and before them all
  // Front positions count instructions; the entry of one is made when it is executed.
  std::vector<FrontEntry> front_;
  uint64_t front_mask_ = 0;
  uint64_t front_head_ = 0, front_decoded_ = 0, front_tail_ = 0;  // renamed | decoded | fetched
  std::vector<Checkpoint> checkpoints_;  // before each predicted control instruction fetched
  uint32_t checkpoints_tail_ = 0;

  // Decode.
  bool serial_in_flight_ = false;
  bool hart_stopped_ = false;
  bool waiting_for_interrupt_ = false;
  bool draining_ = false;  // for an interrupt, which then is pending and enabled
  uint64_t device_answer_ = 0;
  // The decode engine; null: none.
  DecodeEngine* engine_ = nullptr;
  ExpansionParams expansion_;
  uint64_t sequence_at_ = 0;           // no instruction of a sequence is decoded before this cycle
  bool engine_on_wrong_path_ = false;  // it has seen instructions of the present one
  DecodeCheckpoint right_path_;        // its state before them
  // What the hart did. A record and its reorder-buffer entry have the same number.
  std::vector<RetireRecord> records_;
  uint64_t records_mask_ = 0;
  uint64_t records_tail_ = 0;  // stepped; those below rob_head_ have committed

  // The one unresolved misprediction: everything fetched after it is on the wrong path.
  uint64_t wrong_from_ = kNever;  // front position
  WrongBranch wrong_branch_;

  // Reorder buffer, reservation stations. The cycle of a result is known when its instruction is
  // issued, or when the cache has taken the load: who waits for it is woken then, for that cycle.
  std::vector<RobEntry> rob_;
  uint64_t rob_mask_ = 0;
  uint64_t rob_head_ = 0, rob_tail_ = 0;
  uint64_t wrong_in_rob_ = 0;  // wrong-path instructions that hold a slot
  uint64_t stations_used_ = 0, loads_used_ = 0;
  std::vector<uint64_t> ready_;  // one bit a slot: can issue
  uint64_t ready_words_ = 0;     // one bit a word of it that may have some
  std::vector<uint32_t> consumer_next_;
  // By register, sequence number + 1 of the last writer; 0: none in flight, as of kNoRegister.
  uint64_t writer_[isa::kNoRegister + 1];
  std::vector<uint64_t> wheel_;  // by cycle, modulo its size, the words of ready_ that it adds
  uint64_t wheel_used_[kWheelSize / 64] = {};
  unsigned wheel_early_ = 0;             // bits in it that are due in a later turn
  std::vector<AddressEvent> addresses_;  // of issued loads and atomics, all equally long
  uint64_t addresses_head_ = 0, addresses_tail_ = 0;
  std::vector<uint64_t> retries_;  // loads the cache turned away, oldest first
  uint64_t resolve_at_ = kNever;   // when the mispredicted branch completes
  UnitParams unit_[kUnitCount];
  unsigned pipelined_ = 0;  // units that take an operation every cycle, as bits
  std::vector<uint64_t> unit_free_[kUnitCount];  // of the others: when each is

  // Store queue: [head, committed) waits to be written, [committed, tail) is speculative.
  std::vector<StoreEntry> stores_;
  uint64_t stores_mask_ = 0;
  uint64_t stores_head_ = 0, stores_committed_ = 0, stores_tail_ = 0;
  uint16_t filter_[kFilterSize] = {};

  // Commit.
  uint64_t committed_ = 0, user_committed_ = 0, user_limit_ = kNever;
  uint64_t interval_ = 0, interval_at_ = kNever;  // at which user_committed_ the present one ends
  uint64_t last_progress_ = 0;

  // CPI stack.
  CpiClass cpi_class_ = CpiClass::kFetch;  // of the last cycle
  CpiClass refill_ = CpiClass::kFetch;     // why the front end has nothing, until an instruction
  uint64_t refill_mark_ = 0;               // with this number or a later one has committed
  CpiClass held_ = CpiClass::kFetch;       // what rename last waited for in the back end,
  uint64_t held_at_ = 0;                   // and in which cycle
  bool fetch_missing_ = false;             // fetch_at_ is when a line arrives
  bool store_refused_ = false;             // by the data cache, in this cycle
  uint64_t base_credit_ = 0;               // committed, less commit_width for each base cycle
  uint64_t user_credited_ = 0;             // user_committed_ when it was last added

  RetireRecord lanes_[kMaxRetireWidth];
};

}  // namespace strobe::core
