// Parameters of the core; every one is a configuration key of the same name.
#pragma once

#include <cstdint>
#include <string>

#include "sc_models/memory/params.h"

namespace strobe::core {

/// The direction predictors: make_NAME() of sc_models/core/predictors/NAME.cpp makes each.
#define STROBE_DIRECTION_PREDICTORS(X) X(static) X(bimodal) X(gshare) X(tage)

/// Their names in a configuration, after `perfect`, which predicts nothing: fetch asks the hart.
#define STROBE_PREDICTOR_NAME(name) , #name
inline constexpr const char* kPredictorNames[] = {
    "perfect" STROBE_DIRECTION_PREDICTORS(STROBE_PREDICTOR_NAME)};
#undef STROBE_PREDICTOR_NAME
inline constexpr unsigned kMostTageTables = 12;

struct TageParams {  // the tagged tables; the base has PredictorParams::table_bits
  unsigned tables = 6;
  unsigned table_bits = 9;  // log2 of the entries of each
  unsigned tag_bits = 13;
  unsigned min_history = 4, max_history = 128;  // branches; of the first and the last table
};

/// What branches of machine mode, where the handlers of profiles run, do to the prediction of the
/// program's branches. The return stack and the target buffer are shared in each.
enum class Isolation : uint8_t {
  kNone,    // history and tables are shared
  kFrozen,  // they are predicted with the program's history and tables, and change neither
  kBanked,  // they have a history of their own; the tables are shared
};
/// The names in a configuration, in the order of the enumerators.
inline constexpr const char* kIsolationNames[] = {"none", "frozen", "banked"};

struct PredictorParams {
  std::string kind = "gshare";  // one of kPredictorNames
  unsigned table_bits = 12;     // log2 of the two-bit counters
  unsigned history_bits = 12;   // gshare
  unsigned btb_entries = 1024;
  unsigned btb_ways = 4;
  unsigned ras_entries = 16;  // return-address stack
  Isolation isolation = Isolation::kNone;
  TageParams tage;
};

/// In which order instructions issue (docs/blocks/core.md, "Issue in order").
enum class Issue : uint8_t {
  kOutOfOrder,  // as soon as the operands are there
  kInOrder,     // besides, no earlier than the instruction before it in program order
};
/// The names in a configuration, in the order of the enumerators.
inline constexpr const char* kIssueNames[] = {"out_of_order", "in_order"};

/// Which of two harts on a core fetches next, when both could.
enum class FetchPolicy : uint8_t {
  kRoundRobin,  // the one that did not fetch last
  kIcount,      // the one with fewer instructions that have not issued
};
inline constexpr const char* kFetchPolicyNames[] = {"round_robin", "icount"};

/// How two harts on a core have the reorder buffer and the load and store queues.
enum class Buffers : uint8_t {
  kHalves,  // each hart has half of each
  kShared,  // both take entries from the whole
};
inline constexpr const char* kBuffersNames[] = {"halves", "shared"};

/// Simultaneous multithreading (docs/blocks/threads.md).
struct SmtParams {
  FetchPolicy fetch = FetchPolicy::kRoundRobin;
  Buffers buffers = Buffers::kHalves;
};

struct UnitParams {  // functional units: how many, latency, cycles until it takes the next
                     // operation
  unsigned count = 1, latency = 1, interval = 1;
};

/// What the decode engine's work costs, and what a squash does to its state.
struct ExpansionParams {
  unsigned stall_cycles = 1;  // a sequence leaves decode that much later than its trigger would
  bool leak = false;          // what it counted on a wrong path stays
};

struct CoreParams {
  std::string name = "hps2005";
  unsigned fetch_width = 4, decode_width = 4, issue_width = 4, commit_width = 4;
  Issue issue = Issue::kOutOfOrder;
  unsigned fetch_block = 32;      // bytes fetched a cycle, aligned
  unsigned front_end_stages = 7;  // fetch to rename, in cycles; part of the misprediction penalty
  unsigned fetch_buffer = 32;     // instructions between fetch and rename
  unsigned rob = 128;
  unsigned reservation_stations = 80;
  unsigned load_queue = 32, store_queue = 32;
  UnitParams alu{4, 1, 1}, mul{1, 3, 1}, div{1, 20, 20}, fp{2, 4, 1}, fp_div{1, 12, 12},
      mem{2, 1, 1};                   // mem: address generation, before the cache
  unsigned forward_latency = 1;       // store-to-load forwarding
  unsigned syscall_cycles = 0;        // charged for a proxied system call
  unsigned switch_cycles = 500;       // from one thread of the program to another
  unsigned trap_cycles = 4;           // trap entry and return, beside the pipeline refill
  unsigned clock_read_cycles = 20;    // to read cycle or time
  unsigned counter_read_cycles = 35;  // to read another counter
  double frequency_ghz = 1.0;
  uint64_t watchdog_cycles = 100000;  // without a commit: deadlock
  unsigned threads = 1;               // harts on the core, 1 or 2
  SmtParams smt;                      // for two
  PredictorParams predictor;
  memory::MemoryParams memory;
};

/// Throws std::invalid_argument when a parameter is not usable.
void check(const CoreParams& params);

constexpr unsigned log2_of(unsigned power_of_two) {
  unsigned bits = 0;
  while (power_of_two >> bits != 1) ++bits;
  return bits;
}

}  // namespace strobe::core
