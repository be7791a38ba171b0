#include "sw/config/keys/core_keys.h"

#include "sc_models/port/retire.h"

namespace strobe::config {
namespace {

constexpr uint64_t kLongLatency = 10000;  // cycles; beyond it is a mistake, not a design
constexpr double kLongLatencyNs = 10000.0;

void declare_unit(Visitor& v, core::UnitParams& p) {
  v.integer({"count", "units", "Number of units."}, p.count, {1, 16});
  v.integer({"latency", "cycles", "Time from issue to result."}, p.latency, {1, kLongLatency});
  v.integer({"interval", "cycles", "Time until a unit accepts its next operation."}, p.interval,
            {1, kLongLatency});
}

void declare_tage(Visitor& v, core::TageParams& p) {
  v.integer({"tables", "tables", "Number of tagged tables."}, p.tables, {1, core::kMostTageTables});
  v.integer({"table_bits", "bits", "Log2 of the number of entries of each table."}, p.table_bits,
            {1, 15});
  v.integer({"tag_bits", "bits", "Width of a tag."}, p.tag_bits, {2, 15});
  v.integer({"min_history", "branches", "Length of the global history of the first table."},
            p.min_history, {1, 1024});
  v.integer({"max_history", "branches",
             "Length of the global history of the last table; the lengths between form a geometric "
             "progression."},
            p.max_history, {1, 1024});
}

void declare_predictor(Visitor& v, core::PredictorParams& p) {
  v.choice({"kind", "", "The direction predictor of conditional branches."}, p.kind,
           Names(std::begin(core::kPredictorNames), std::end(core::kPredictorNames)));
  v.integer({"table_bits", "bits", "Log2 of the number of two-bit counters."}, p.table_bits,
            {1, 24});
  v.integer({"history_bits", "bits", "Length of the global history of kind gshare."},
            p.history_bits, {0, 24});
  v.integer(
      {"btb_entries", "entries", "Number of entries of the branch target buffer; a power of two."},
      p.btb_entries, {1, 1 << 20});
  v.integer({"btb_ways", "ways", "Associativity of the branch target buffer; a power of two."},
            p.btb_ways, {1, 64});
  v.integer({"ras_entries", "entries", "Number of entries of the return-address stack."},
            p.ras_entries, {1, 1024});
  v.choice({"isolation", "",
            "What branches of machine mode do to the prediction of the program's: nothing is kept "
            "apart; they change neither history nor tables; they have a history of their own."},
           p.isolation, Names(std::begin(core::kIsolationNames), std::end(core::kIsolationNames)));
  v.section(Key{"tage", "",
                "The tagged tables of kind tage; its base predictor has predictor.table_bits."}
                .only(p.kind == "tage", "only for kind tage"),
            [&](Visitor& w) { declare_tage(w, p.tage); });
}

void declare_smt(Visitor& v, core::SmtParams& p) {
  v.choice({"fetch", "",
            "Which hart fetches when both could: the one that did not fetch last, or the one with "
            "fewer instructions that have not issued."},
           p.fetch, Names(std::begin(core::kFetchPolicyNames), std::end(core::kFetchPolicyNames)));
  v.choice({"buffers", "",
            "Whether each hart has half of reorder buffer, load and store queue, or both take from "
            "the whole."},
           p.buffers, Names(std::begin(core::kBuffersNames), std::end(core::kBuffersNames)));
}

void declare_cache(Visitor& v, memory::CacheParams& p) {
  v.integer({"size", "bytes", "Capacity; a power of two times ways * line."}, p.size,
            {64, uint64_t{1} << 30});
  v.integer({"ways", "ways", "Associativity."}, p.ways, {1, 64});
  v.integer({"line", "bytes", "Line size; a power of two, the same in every cache."}, p.line,
            {8, 1024});
  v.integer({"latency", "cycles", "Latency of a hit."}, p.latency, {1, kLongLatency});
  v.integer(
      {"mshrs", "misses", "Most misses that may be outstanding (miss-status holding registers)."},
      p.mshrs, {1, 256});
  v.choice({"prefetch", "", "What is fetched before it is needed (docs/blocks/memory.md)."},
           p.prefetch, Names(std::begin(memory::kPrefetchNames), std::end(memory::kPrefetchNames)));
  v.integer(Key{"prefetch_degree", "lines", "Number of lines that one prefetch requests."}.only(
                p.prefetch != memory::Prefetch::kNone, "only when prefetch is not none"),
            p.prefetch_degree, {1, 16});
}

void declare_memory(Visitor& v, memory::MemoryParams& p) {
  const auto cache = [&](const char* name, const char* description, memory::CacheParams& params) {
    v.section({name, "", description}, [&](Visitor& w) { declare_cache(w, params); });
  };
  cache("l1i", "First-level instruction cache.", p.l1i);
  cache("l1d", "First-level data cache.", p.l1d);
  cache("l2", "Second-level cache, unified.", p.l2);
  v.integer({"bus_latency", "cycles", "Latency of the interconnect, in each direction."},
            p.bus_latency, {0, kLongLatency});
  v.integer({"dram_latency", "cycles", "Time from a request at the DRAM to its data."},
            p.dram_latency, {1, kLongLatency});
  v.integer({"dram_interval", "cycles", "Time between two lines, which sets the DRAM's bandwidth."},
            p.dram_interval, {1, kLongLatency});
  v.real({"dram_latency_ns", "ns",
          "The time of dram_latency in nanoseconds, which takes its place when it is above 0: then "
          "core.frequency_ghz changes only what is inside the chip. It is rounded to whole cycles, "
          "at least 1."},
         p.dram_latency_ns, 0.0, kLongLatencyNs);
  v.real({"dram_interval_ns", "ns",
          "The time of dram_interval in nanoseconds, which takes its place when it is above 0."},
         p.dram_interval_ns, 0.0, kLongLatencyNs);
  v.integer({"device_latency", "cycles", "Latency of a device register access."}, p.device_latency,
            {1, kLongLatency});
  v.choice({"ntl", "",
            "What the hint ntl.all before a load does: with honor, the load leaves no line in any "
            "cache and changes the state of none."},
           p.ntl,
           Names(std::begin(memory::kNonTemporalNames), std::end(memory::kNonTemporalNames)));
}

}  // namespace

void declare_core(Visitor& v, core::CoreParams& p) {
  const auto unit = [&](const char* name, const char* description, core::UnitParams& params) {
    v.section({name, "", description}, [&](Visitor& w) { declare_unit(w, params); });
  };
  v.text({"name", "", "Name of the core in results."}, p.name, TextUse::kText);
  v.integer({"fetch_width", "instructions", "Most instructions fetched per cycle."}, p.fetch_width,
            {1, 16});
  v.integer({"decode_width", "instructions", "Most instructions decoded and renamed per cycle."},
            p.decode_width, {1, 16});
  v.integer({"issue_width", "instructions", "Most instructions issued per cycle."}, p.issue_width,
            {1, 16});
  v.choice(
      {"issue", "",
       "Order in which instructions issue; with in_order none issues before the one that precedes "
       "it in the program."},
      p.issue, Names(std::begin(core::kIssueNames), std::end(core::kIssueNames)));
  v.integer(
      Key{"commit_width", "instructions",
          "Most instructions committed per cycle, which is the number of lanes of the retire port."}
          .rtl_parameter(),
      p.commit_width, {1, kMaxRetireWidth});
  v.integer({"fetch_block", "bytes",
             "Aligned block from which the instructions of one cycle are fetched; a power of two."},
            p.fetch_block, {4, 256});
  v.integer({"front_end_stages", "cycles",
             "Pipeline stages from fetch to rename, which are part of the misprediction penalty."},
            p.front_end_stages, {2, 64});
  v.integer({"fetch_buffer", "instructions", "Size of the buffer between fetch and rename."},
            p.fetch_buffer, {1, 1024});
  v.integer({"rob", "instructions", "Size of the reorder buffer."}, p.rob, {1, 4096});
  v.integer({"reservation_stations", "instructions",
             "Most instructions that wait for operands or a unit."},
            p.reservation_stations, {1, 4096});
  v.integer({"load_queue", "loads", "Most loads in flight."}, p.load_queue, {1, 1024});
  v.integer({"store_queue", "stores", "Most stores in flight."}, p.store_queue, {1, 1024});
  unit("alu", "Integer units.", p.alu);
  unit("mul", "Integer multipliers.", p.mul);
  unit("div", "Integer dividers.", p.div);
  unit("fp", "Floating-point units.", p.fp);
  unit("fp_div", "Floating-point division and square root.", p.fp_div);
  unit("mem", "Memory units: address generation, before the cache.", p.mem);
  v.integer({"forward_latency", "cycles", "Latency of store-to-load forwarding."},
            p.forward_latency, {1, kLongLatency});
  v.integer({"syscall_cycles", "cycles", "Number of cycles charged for a proxied system call."},
            p.syscall_cycles, {0, 1000000});
  v.integer({"trap_cycles", "cycles",
             "Number of cycles for trap entry and return, in addition to the pipeline refill."},
            p.trap_cycles, {0, kLongLatency});
  v.integer({"clock_read_cycles", "cycles", "Latency of a read of the counters cycle and time."},
            p.clock_read_cycles, {0, kLongLatency});
  v.integer({"counter_read_cycles", "cycles",
             "Latency of a read of instret or of a programmable counter (hpmcounter3 and "
             "following)."},
            p.counter_read_cycles, {0, kLongLatency});
  v.real({"frequency_ghz", "GHz", "Clock frequency."}, p.frequency_ghz, 0.001, 100.0);
  v.integer({"watchdog_cycles", "cycles",
             "Number of cycles without a commit after which the run ends as a deadlock."},
            p.watchdog_cycles, {1000, 1000000000});
  v.integer({"threads", "harts",
             "Number of harts on the core; two of them run by simultaneous multithreading "
             "(docs/blocks/threads.md)."},
            p.threads, {1, 2});
  v.section(
      Key{"smt", "", "How two harts share the core."}.only(p.threads == 2, "only for threads 2"),
      [&](Visitor& w) { declare_smt(w, p.smt); });
  v.section({"predictor", "", "The branch predictors."},
            [&](Visitor& w) { declare_predictor(w, p.predictor); });
  v.section({"memory", "", "Caches, interconnect and DRAM."},
            [&](Visitor& w) { declare_memory(w, p.memory); });
}

}  // namespace strobe::config
