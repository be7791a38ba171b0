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
  bool drained() const { return records_head_ == records_tail_; }
  const PipelineStats& stats() const;
  void reset_statistics();
  std::string dump_state() const;

 private:
  enum Unit : uint8_t { kAluUnit, kMulUnit, kDivUnit, kFpUnit, kFpDivUnit, kMemUnit, kUnitCount };
  static constexpr uint32_t kNoNode = ~uint32_t{0};
  static constexpr unsigned kNodesPerEntry = 4;  // three sources and the store a load waits for
  static constexpr uint64_t kWheelSize = 1024;
  static constexpr unsigned kFilterSize = 256;
  static constexpr unsigned kStoresPerCycle = 1;  // write port of the first-level data cache

  // What the timing model keeps of a decoded instruction.
  struct FrontEntry {
    uint64_t pc = 0;
    uint64_t next = 0;       // predicted
    uint64_t rename_at = 0;  // earliest cycle of rename
    Checkpoint before;       // predictor state before this instruction
    uint64_t record = 0;     // its sequence number, once stepped
    uint64_t serial_latency = 0;
    int32_t imm = 0;
    uint32_t predictor_index = 0;
    uint8_t dst = 0;
    uint8_t src[3] = {};
    OpClass opclass = OpClass::kAlu;
    uint8_t flags = 0;
    uint8_t mem_size = 0;
    uint8_t length = 4;
    bool taken = false;
    bool needs_target = false;
    bool is_device = false;
    bool mispredicted = false;
    bool serial = false;  // nothing younger is decoded until it commits
    bool flush = false;   // fetch starts anew behind it
  };
  enum class RobState : uint8_t { kWaiting, kAddress, kMemory, kDone };
  struct RobEntry {
    uint64_t record = 0;
    uint64_t event_at = 0;
    uint64_t ready_at = 0;  // first cycle in which it could issue
    uint64_t address = 0;
    uint64_t forward_store = 0;  // store-queue number + 1 of the store a load overlaps; 0: none
    uint32_t consumers = kNoNode;
    uint32_t event_next = kNoNode;
    uint32_t latency = 0;
    uint32_t predictor_index = 0;
    uint8_t pending = 0;
    Unit unit = kAluUnit;
    RobState state = RobState::kWaiting;
    CpiClass cpi = CpiClass::kBase;  // of the cycles in which it is the oldest
    uint8_t dst = 0;
    uint8_t mem_size = 0;
    bool is_load = false, is_store = false, is_amo = false;
    bool full_cover = false;
    bool mispredicted = false, serial = false, flush = false;
  };
  struct StoreEntry {
    uint64_t address = 0;
    uint64_t rob = 0;  // sequence number of its instruction
    uint8_t size = 0;
  };

  // fetch.cpp
  void fetch();
  bool line_ready(uint64_t address);
  FrontEntry& push_fetched(const isa::DecodedInsn* insn);
  void redirect(uint64_t pc, uint64_t when);
  void squash_younger(uint64_t first);
  // decode.cpp
  void decode();
  bool may_step();
  bool step(FrontEntry& entry, uint64_t position);
  void compute_target(FrontEntry& entry, uint64_t position);
  // rename.cpp
  void rename();
  bool has_room(const FrontEntry& entry);
  void dispatch(const FrontEntry& entry);
  void depend(RobEntry& entry, uint32_t node, uint64_t producer);
  void find_overlapping_store(RobEntry& entry, uint32_t slot);
  // issue.cpp
  void issue();
  bool take_unit(Unit unit);
  // writeback.cpp
  void writeback();
  void schedule(uint32_t slot, uint64_t when);
  void complete(uint32_t slot);
  bool access_memory(uint32_t slot);
  void handle_event(uint32_t slot);
  uint64_t access_data(uint64_t address, unsigned size, AccessKind kind);
  void resolve_misprediction();
  // commit.cpp
  void commit();
  unsigned commit_ready();
  void retire_one(const RobEntry& entry, const RetireRecord& record);
  void drain_stores();
  void filter_add(uint64_t address, unsigned size, int change);
  // tracing.cpp
  [[gnu::cold]] void trace_fetched(uint64_t position);
  uint32_t word_at(uint64_t position);
  // cpi.cpp
  void account_cycle(unsigned count);
  CpiClass lost_cycle() const;
  CpiClass empty_rob_class() const;
  CpiClass waiting_class(uint32_t slot) const;
  CpiClass level_of(uint64_t cycles) const;
  // An instruction that waits for no operand is not what limits the pipeline: whatever kept it from
  // rename until now is.
  CpiClass dispatch_class(const FrontEntry& from, bool waits) const {
    if (waits) return CpiClass::kDependency;
    return cycle_ > from.rename_at && held_at_ + 1 == cycle_ ? held_ : CpiClass::kFetch;
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

  FrontEntry& front(uint64_t position) { return front_[position & front_mask_]; }
  RobEntry& rob(uint64_t number) { return rob_[number & rob_mask_]; }
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
  std::vector<FrontEntry> front_;
  uint64_t front_mask_ = 0;
  uint64_t front_head_ = 0, front_decoded_ = 0, front_tail_ = 0;  // renamed | decoded | fetched

  // Decode.
  bool serial_in_flight_ = false;
  bool hart_stopped_ = false;
  bool waiting_for_interrupt_ = false;
  bool draining_ = false;  // for an interrupt, which then is pending and enabled
  uint64_t device_answer_ = 0;
  std::vector<RetireRecord> records_;
  uint64_t records_mask_ = 0;
  uint64_t records_head_ = 0, records_tail_ = 0;  // committed | stepped

  // The one unresolved misprediction: everything fetched after it is on the wrong path.
  uint64_t wrong_from_ = kNever;  // front position
  FrontEntry wrong_branch_;

  // Reorder buffer, reservation stations, events.
  std::vector<RobEntry> rob_;
  uint64_t rob_mask_ = 0;
  uint64_t rob_head_ = 0, rob_tail_ = 0;
  uint64_t wrong_in_rob_ = 0;  // wrong-path instructions that hold a slot
  uint64_t stations_used_ = 0, loads_used_ = 0;
  std::vector<uint64_t> ready_;  // one bit a slot
  std::vector<uint32_t> consumer_next_;
  uint64_t
      writer_[isa::kRegisterCount];  // sequence number + 1 of the last writer; 0: none in flight
  std::vector<uint32_t> wheel_;      // per slot of time the last entry of a circular list
  uint64_t wheel_used_[kWheelSize / 64] = {};
  std::vector<uint64_t> retries_;  // loads the cache turned away, oldest first
  std::vector<uint64_t> unit_free_[kUnitCount];
  UnitParams unit_[kUnitCount];

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
