// Are keys that do not fit together refused, with the reason? The file is long because every rule
// has its case here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "sw/config/load.h"
#include "tests/unit/config/scratch.h"

namespace strobe::config {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kRing = "profilers: [{ name: a, active: true, communication: { kind: ring, ";
const std::string kSmallest = "workload: { elf: p.elf }\n";

std::string faults(const std::string& text, const std::vector<std::string>& sets = {}) {
  return text::to_text(load_run_text(text, "t.yaml", sets).diagnostics);
}

struct Misfit {
  std::string text;
  std::string message;
};

TEST(Check, KeysThatDoNotFitTogetherAreRefused) {
  const std::vector<Misfit> misfits = {
      {"core: { rob: 2, reservation_stations: 2, decode_width: 2 }",
       "core.commit_width: expected at most core.rob, which is 2, got 4"},
      {"core: { rob: 16 }",
       "core.reservation_stations: expected at most core.rob, which is 16, got 80"},
      {"core: { rob: 3, reservation_stations: 3, commit_width: 1 }",
       "core.decode_width: expected at most core.rob, which is 3, got 4"},
      {"core: { fetch_buffer: 4, fetch_width: 8 }",
       "core.fetch_width: expected at most core.fetch_buffer, which is 4, got 8"},
      {"core: { fetch_buffer: 4, decode_width: 8 }",
       "core.decode_width: expected at most core.fetch_buffer, which is 4, got 8"},
      {"core: { fetch_block: 128 }",
       "core.fetch_block: expected at most core.memory.l1i.line, which is 64, got 128"},
      {"core: { front_end_stages: 1 }",
       "core.front_end_stages: out of range, expected 2 to 64 cycles, got 1"},
      {"core: { memory: { l1i: { latency: 7 } } }",
       "core.memory.l1i.latency: expected less than core.front_end_stages, which is 7 and includes "
       "this latency, got 7"},
      {"core: { watchdog_cycles: 2000, syscall_cycles: 2000 }",
       "core.watchdog_cycles: expected more than the 2000 cycles that core.syscall_cycles lets one "
       "instruction take, got 2000"},
      {"core: { watchdog_cycles: 1000, memory: { dram_latency: 990 } }",
       "core.watchdog_cycles: expected more than the 1007 cycles that core.memory.dram_latency "
       "lets one instruction take, got 1000"},
      {"core: { watchdog_cycles: 1000, frequency_ghz: 4, memory: { dram_latency_ns: 250 } }",
       "core.watchdog_cycles: expected more than the 1017 cycles that core.memory.dram_latency_ns "
       "lets one instruction take, got 1000"},
      {"core: { frequency_ghz: 50, memory: { dram_latency_ns: 200.02 } }",
       "core.memory.dram_latency_ns: expected at most 10000 cycles, got 10001 at "
       "core.frequency_ghz, which is 50"},
      {"core: { frequency_ghz: 50, memory: { dram_interval_ns: 300 } }",
       "core.memory.dram_interval_ns: expected at most 10000 cycles, got 15000 at "
       "core.frequency_ghz, which is 50"},
      {"core: { memory: { dram_latency_ns: -1 } }",
       "core.memory.dram_latency_ns: out of range, expected 0 to 10000 ns, got -1"},
      {"core: { memory: { l2: { size: 1_000_000 } } }",
       "core.memory.l2.size: expected a power of two times ways * line = 256 bytes, got 1000000"},
      {"core: { memory: { l1i: { ways: 3 } } }",
       "core.memory.l1i.size: expected a power of two times ways * line = 192 bytes, got 32768"},
      {"core: { memory: { l1d: { size: 512, ways: 1, line: 1024 }, l1i: { line: 1024 }, l2: { "
       "line: 1024 } } }",
       "core.memory.l1d.size: expected a power of two times ways * line = 1024 bytes, got 512"},
      {"core: { predictor: { btb_ways: 3 } }",
       "core.predictor.btb_ways: expected a power of two, got 3"},
      {"core: { predictor: { btb_entries: 2 } }",
       "core.predictor.btb_ways: expected at most core.predictor.btb_entries, which is 2, got 4"},
      {"core: { predictor: { kind: tag } }",
       "expected one of perfect, static, bimodal, gshare, tage, got 'tag' (did you mean 'tage'?)"},
      {"core: { predictor: { tage: { tables: 4 } } }",
       "core.predictor.tage: has no meaning here: only for kind tage"},
      {"core: { predictor: { kind: tage, tage: { min_history: 200 } } }",
       "core.predictor.tage.min_history: expected at most core.predictor.tage.max_history, which "
       "is 128, got 200"},
      {"core: { fetch_block: 24 }", "core.fetch_block: expected a power of two, got 24"},
      {"core: { memory: { l1d: { size: 3000 } } }",
       "core.memory.l1d.size: expected a power of two times ways * line = 128 bytes, got 3000"},
      {"core: { memory: { l1d: { size: 64 } } }",
       "core.memory.l1d.size: expected a power of two times ways * line = 128 bytes, got 64"},
      {"core: { memory: { l2: { line: 32 } } }",
       "core.memory.l2.line: expected the line size of core.memory.l1d, which is 64, got 32"},
      {"core: { predictor: { history_bits: 13 } }",
       "core.predictor.history_bits: expected at most core.predictor.table_bits, which is 12, got "
       "13"},
      {"profilers: [{ name: a, strata: 100 }]",
       "profilers.0.strata: expected a power of two, got 100"},
      {"profilers: [{ name: a, rate: 512 }]",
       "profilers.0.rate: expected at most 2^counter_width = 256, got 512"},
      {"profilers: [{ name: a, queue_depth: 48 }]",
       "profilers.0.queue_depth: expected a power of two, got 48"},
      {"profilers: [{ name: a, active: true, queue_depth: 2 }]",
       "profilers.0.queue_depth: expected at least 8, which is two rows for core.commit_width = 4, "
       "got 2"},
      {"profilers: [{ name: a, watermark: 300 }]",
       "profilers.0.watermark: expected at most profilers.0.buffer_depth, which is 256, got 300"},
      {"profilers: [{ name: a, fidelity: rtl }]",
       "profilers.0.fidelity: expected model, because a profiler that is not active only observes; "
       "or set active to true"},
      {"profilers: [{ name: a, active: true }]\nmode: functional",
       "profilers.0.active: an active profiler needs mode: timing or sampled, got functional"},
      {"interval: 5\nmode: functional", "interval: intervals need mode: timing, got functional"},
      {"exhaustive_bytes: 98303",
       "exhaustive_bytes: expected at least 98304, the smallest table, or 0 for no bound, got "
       "98303"},
      {"exhaustive_bytes: 98304\nprogress: { every: 10 }",
       "exhaustive_bytes: progress.every needs the whole exhaustive profile, which "
       "exhaustive_bytes bounds; leave one of the two keys out"},
      {"profilers: [{ name: a, active: true }, { name: b, active: true }]",
       "profilers.1.active: expected at most one active profiler, profilers.0 is active too"},
      {"profilers: [{ name: a }, { name: a }]",
       "profilers.1.name: expected a unique name, got 'a', which is also the name of profilers.0"},
      {"profilers: [{ name: '' }]", "profilers.0.name: expected a name, got an empty text"},
      {"profilers: [{ name: a, kind: random, strata: 64 }]",
       "profilers.0.strata: has no meaning here: only for kinds stratified and tagged"},
      {"profilers: [{ name: a, seed: 64 }]",
       "profilers.0.seed: has no meaning here: only for kind random, for samplers other than "
       "periodic, and for phase random"},
      {"profilers: [{ name: a, selectors: [{ profile: edge }, { profile: value }] }]",
       "profilers.0.selectors.1.tag: expected a tag other than that of profilers.0.selectors.0, "
       "which is "
       "0: their tuples could not be told apart"},
      {"profilers: [{ name: a, selectors: [{ profile: edge, modes: [] }] }]",
       "profilers.0.selectors.0.modes: expected at least one of user, machine, got none"},
      {"profilers: [{ name: a, selectors: [{ profile: edge, prediction: mispredicted }] }]\nmode: "
       "functional",
       "profilers.0.selectors.0.prediction: expected any, because only mode timing predicts "
       "branches; or set mode to timing"},
      {"profilers: [{ name: a, selectors: [{ profile: edge, in_burst: true }] }]",
       "t.yaml:1:63: error: profilers.0.selectors.0.in_burst: expected false, because there are no "
       "bursts without a decode engine; or give decode.productions"},
      {"profilers: [{ name: a, selectors: [{ profile: edge, in_burst: true, modes: [machine] }] "
       "}]\ndecode: { productions: [s.dise] }",
       "profilers.0.selectors.0.in_burst: expected only user in modes, because no instruction of "
       "M-mode is in a burst"},
      {"decode: { jitter: 3 }",
       "decode.jitter: expected 0, because there are no bursts without a decode engine; or give "
       "decode.productions"},
      {"decode: { phase: random }",
       "decode.phase: expected start, because there are no bursts without a decode engine; or give "
       "decode.productions"},
      {"profilers: [{ name: a, selectors: [{ profile: edge, pc: [2, 1] }] }]",
       "profilers.0.selectors.0.pc: empty interval, expected lowest <= highest, got [0x2, 0x1]"},
      {"profilers: [{ name: a, selectors: [{ profile: edge, pc: [2] }] }]",
       "profilers.0.selectors.0.pc: wrong length, expected [lowest, highest], got 1 items"},
      {"profilers: [{ name: a, selectors: [{ profile: edge, opclasses: [lod] }] }]",
       "got 'lod' (did you mean 'load'?)"},
      {kRing + "entries: 3 } }]",
       "profilers.0.communication.entries: expected a power of two, got 3"},
      {kRing + "base: 0x40000000 } }]",
       "t.yaml:1:73: error: profilers.0.communication.base: expected a ring of 32768 bytes inside "
       "the guest memory reserved for rings, 0x87000000 to 0x88000000, got 0x40000000"},
      {kRing + "base: 0x83fff000 } }]",
       "profilers.0.communication.base: expected a ring of 32768 bytes inside"},
      {kRing + "base: 0x87001000 } }]",
       "profilers.0.communication.base: expected a multiple of the ring's 32768 bytes, got "
       "0x87001000"},
      {kRing + "full: drop } }]",
       "profilers.0.communication.full: unknown value, expected one of back_pressure, overwrite, "
       "got 'drop'"},
      {kRing + "} }]\nmode: sampled",
       "profilers.0.communication.kind: a ring needs mode: timing, got sampled"},
      {kRing + "service_core: { rob: 16 } } }]",
       "profilers.0.communication.service_core.reservation_stations: expected at most "
       "profilers.0.communication.service_core.rob, which is 16, got 80"},
      {kRing + "service_core: { frequency_ghz: 2 } } }]",
       "profilers.0.communication.service_core.frequency_ghz: expected core.frequency_ghz, which "
       "is 1, because the cores share one clock, got 2"},
      {kRing + "service_core: { memory: { l1i: { line: 32 }, l1d: { line: 32 }, l2: { line: 32 } } "
               "} } }]\ncore: { fetch_block: 32 }",
       "profilers.0.communication.service_core.memory.l1d.line: expected the line size of "
       "core.memory.l1d, which is 64, got 32"},
      {"shim: { where: cmp }",
       "t.yaml:1:16: error: shim.where: expected counters or signals to observe, got none of "
       "shim.counters and shim.signals"},
      {"shim: { where: cmp, counters: [instructions] }",
       "t.yaml:1:31: error: shim.counters: the counters of another hart can be read only with "
       "counters.remote: true; set it, or observe signals alone"},
      {"shim: { where: cmp, counters: [instructions, l4_misses] }\ncounters: { remote: true }",
       "t.yaml:1:46: error: shim.counters.1: unknown value, expected one of cycles, instructions"},
      {"shim: { where: cmp, counters: [cycles, cycles, cycles, cycles, cycles, cycles, cycles, "
       "cycles] }\ncounters: { remote: true }",
       "shim.counters: expected at most 7 counters, because a hart has 8 and the observer needs "
       "one to wake it, got 8"},
      {"shim: { where: cmp, signals: [a, b, c, d, e] }",
       "shim.signals: expected at most 4 signals, got 5"},
      {"shim: { where: cmp, signals: [a], dte: 1.5 }",
       "t.yaml:1:40: error: shim.dte: out of range, expected 0 to 1, got 1.5"},
      {"decode: { productions: [a.dise], speculation: leak }\nmode: sampled",
       "decode.speculation: an engine that keeps what it saw of wrong paths needs mode: timing, "
       "which has all of them, got sampled; set decode.speculation to restore"},
      {"interval: 5\nmode: sampled", "interval: intervals need mode: timing, got sampled"},
      {"trace: { pipeline: a.kanata }\nmode: sampled",
       "trace.pipeline: a pipeline view needs mode: timing, got sampled"},
      {"trace: { waves: a.vcd }\nprofilers: [{ name: a, active: true, fidelity: rtl }]\nmode: "
       "sampled",
       "trace.waves: waveforms need mode: timing, got sampled"},
      {"instrument: { kind: bursty }\nmode: sampled",
       "instrument.kind: an instrumented program needs mode: timing or functional, got sampled"},
      {"shim: { where: cmp, signals: [a] }\nmode: sampled",
       "shim.where: an observer thread needs mode: timing, got sampled"},
      {"shim: { where: cmp, signals: [a], core: { rob: 16 } }",
       "shim.core.reservation_stations: expected at most shim.core.rob, which is 16, got 80"},
      {"shim: { where: smt, signals: [a] }",
       "t.yaml:1:16: error: shim.where: the observer needs a hart beside the program's: expected "
       "core.threads: 2, got 1; or set shim.where to cmp"},
      {"shim: { where: smt, counters: [cycles, cycles, cycles, cycles] }\ncore: { threads: 2 }",
       "shim.counters: expected at most 3 counters, because a hart has 8 and the observer needs "
       "one "
       "to wake it and two for each: the core's and its own, got 4"},
      {"shim: { where: cmp, signals: [a], priority: low }",
       "shim.priority: has no meaning here: only for where: smt"},
      {"shim: { signals: [a] }",
       "shim.signals: has no meaning here: only with an observer, which shim.where gives"},
      {kRing + "} }]\nshim: { where: cmp, signals: [a] }",
       "shim.where: expected one thread on hart 1, got two: the observer and the service thread of "
       "the active profiler's ring; set its communication.kind to interrupt"},
      {"profilers: [{ name: a, active: true, communication: { entries: 4 } }]",
       "profilers.0.communication.entries: has no meaning here: only for kind ring"},
      {"truth: { samplers: { period: 5 } }",
       "t.yaml:1:30: error: truth.samplers.period: expected truth.cycles: true, which the samplers "
       "are compared with, or 0 for no samplers, got 5"},
      {"truth: { cycles: true, samplers: { seed: 5 } }",
       "t.yaml:1:42: error: truth.samplers.seed: expected no seed without truth.samplers.period, "
       "because there are no samplers"},
      {"truth: { samplers: { seed: 5 } }", "truth.samplers.seed: expected no seed without"},
      {"truth: { cycles: true, samplers: { period: 4294967296 } }",
       "truth.samplers.period: out of range, expected 0 to 4294967295 cycles, got 4294967296"},
      {"truth: { cycle: true }", "(did you mean 'cycles'?)"},
      {"timer: { period: 999 }",
       "t.yaml:1:18: error: timer.period: expected 0 or at least 1000, so that the program gets on "
       "between two interrupts, got 999"},
      {"timer: { jitter: 0.5 }", "timer.jitter: expected no jitter without timer.period"},
      {"mode: functional\ntimer: { period: 10000 }",
       "timer.period: the timer needs mode: timing, which has every cycle, got functional"},
      {"timer: { period: 10000 }\nprofilers: [{ name: a, active: true }]",
       "timer.period: expected 0 with an active profiler, whose messages are in the same table"},
      {"timer: { period: 10000 }\ninstrument: { kind: ephemeral }",
       "timer.period: expected 0 with the epochs of ephemeral instrumentation"},
      {"mode: functional\ntruth: { cycles: true }",
       "t.yaml:2:18: error: truth.cycles: the truth about time needs mode: timing, which has every "
       "cycle, got functional"},
      {"mode: sampled\ntruth: { cycles: true }",
       "truth.cycles: the truth about time needs mode: timing, which has every cycle, got sampled"},
      {"workload: { elf: x, scheduler: { switch_cycles: 2000 } }\ncore: { watchdog_cycles: 2000 }",
       "core.watchdog_cycles: expected more than the 2000 cycles that "
       "workload.scheduler.switch_cycles lets a switch of threads take, got 2000"},
      {"workload: { elf: x, env: [NOVALUE] }", "workload.env.0: expected KEY=VALUE, got 'NOVALUE'"},
      {"workload: { elf: x, memory: 4_000_000_000 }",
       "workload.memory: out of range, expected 1048576 to 2147483648 bytes, got 4000000000"},
  };
  for (const Misfit& misfit : misfits) {
    const bool whole = misfit.text.rfind("workload", 0) == 0;
    const std::string text = misfit.text + "\n" + (whole ? "" : kSmallest);
    const text::Diagnostics diagnostics = load_run_text(text, "t.yaml", {}).diagnostics;
    EXPECT_EQ(diagnostics.size(), 1u) << misfit.text << "\n" << text::to_text(diagnostics);
    EXPECT_THAT(text::to_text(diagnostics), HasSubstr(misfit.message)) << misfit.text;
  }
}

TEST(Check, CompressorsThatMakeNoSenseAreRefusedWithTheReason) {
  const std::vector<Misfit> misfits = {
      {"kind: associative, second_level: { entries: 4 }",
       "second_level: has no meaning here: not for kind associative, which merges equal tuples "
       "itself"},
      {"kind: associative, tag_bits: 2",
       "tag_bits: has no meaning here: only for kind tagged; the other kinds have no tags"},
      {"kind: associative, rate: 16",
       "rate: has no meaning here: not for kind associative, whose entries count until their "
       "counter is full"},
      {"kind: associative, entries: 24", "entries: expected a power of two, got 24"},
      {"kind: associative, entries: 128",
       "entries: out of range, expected 4 to 64 counters, got 128"},
      {"second_level: { kind: tagged, entries: 16 }", "second_level.kind: unknown key"},
      {"second_level: { entries: 3 }",
       "second_level.entries: expected 0 or a power of two from 4 to 64, got 3"},
      {"second_level: { entries: 2 }",
       "second_level.entries: expected 0 or a power of two from 4 to 64, got 2"},
      {"second_level: { entries: 16, counter_width: 8 }",
       "second_level.counter_width: expected more than the 8 bits of the first level's counters, "
       "whose messages this counter adds up, got 8"},
      {"kind: random, rate: 1000, second_level: { entries: 16, counter_width: 10 }",
       "second_level.counter_width: expected more than the 10 bits of the first level's counters, "
       "whose messages this counter adds up, got 10"},
      {"kind: tagged, banks: 2",
       "banks: has no meaning here: only for kind stratified; the other kinds take one tuple per "
       "cycle"},
      {"banks: 3", "banks: expected a power of two, got 3"},
      {"strata: 2, banks: 4", "banks: expected at most profilers.0.strata, which is 2, got 4"},
      {"kind: tagged, sampler: random", "sampler: has no meaning here: only for kind stratified"},
      {"kind: random, hash: h3", "hash: has no meaning here: only for kinds stratified and tagged"},
      {"kind: random, hash_constants: drawn",
       "hash_constants: has no meaning here: only for a passive profiler of kind stratified or "
       "tagged, because an active one computes what the RTL does"},
      {"kind: random, phase: random",
       "phase: has no meaning here: only for a passive profiler of kind periodic, or of kind "
       "stratified with the sampler periodic, because an active one begins as the RTL does"},
      {"active: true, phase: random",
       "phase: has no meaning here: only for a passive profiler of kind periodic, or of kind "
       "stratified with the sampler periodic, because an active one begins as the RTL does"},
      {"active: true, hash_constants: drawn",
       "hash_constants: has no meaning here: only for a passive profiler of kind stratified or "
       "tagged, because an active one computes what the RTL does"},
      {"hash: crc32",
       "hash: unknown value, expected one of paper, xor_fold, crc32c, h3, "
       "multiply_shift, got 'crc32' (did you mean 'crc32c'?)"},
      {"kind: periodic, counter_width: 9",
       "counter_width: has no meaning here: only for kinds stratified, tagged and associative; the "
       "kinds random and periodic have no table of counters"},
      {"sampler: countdown",
       "rate: expected at most 2^(counter_width-1) = 128, because a countdown starts from up to "
       "twice the rate, got 256"},
      {"kind: tagged, rate: 257", "rate: expected at most 2^counter_width = 256, got 257"},
      {"kind: tagged, ways: 3", "ways: expected a power of two, got 3"},
      {"kind: tagged, strata: 2, ways: 4",
       "ways: expected at most profilers.0.strata, which is 2, got 4"},
      {"kind: tagged, rate: 4, counter_width: 2",
       "miss_width: expected at most profilers.0.counter_width, which is 2, got 3"},
      {"kind: tagged, should_evict: 257",
       "should_evict: expected at most 2^counter_width = 256, got 257"},
      {"kind: tagged, should_replace: 9",
       "should_replace: expected at most 2^miss_width = 8, got 9"},
      {"should_evict: 100", "should_evict: has no meaning here: only for kind tagged"},
  };
  for (const Misfit& misfit : misfits) {
    const text::Diagnostics diagnostics =
        load_run_text(kSmallest + "profilers:\n- { name: a, " + misfit.text + " }\n", "t.yaml", {})
            .diagnostics;
    EXPECT_EQ(diagnostics.size(), 1u) << misfit.text << "\n" << text::to_text(diagnostics);
    EXPECT_THAT(text::to_text(diagnostics), HasSubstr("error: profilers.0." + misfit.message))
        << misfit.text;
    EXPECT_THAT(text::to_text(diagnostics), HasSubstr("t.yaml:3:")) << misfit.text;
  }
}

TEST(Check, AnyCompressorMayBeActive) {
  for (const char* compressor :
       {"kind: random, rate: 4096", "kind: periodic, rate: 1", "kind: tagged, ways: 4",
        "kind: associative, entries: 64, counter_width: 1", "sampler: countdown, rate: 128",
        "kind: random, second_level: { entries: 4, counter_width: 9 }",
        "kind: tagged, should_evict: 256, should_replace: 8, hash: xor_fold",
        "banks: 8, strata: 8, sampler: counted_random, hash: h3, seed: 3"}) {
    EXPECT_EQ(faults(kSmallest + "profilers: [{ name: a, active: true, fidelity: rtl, " +
                     compressor + " }]\n"),
              "")
        << compressor;
  }
}

TEST(Check, NothingOfACoreThatHasToExistMayBeZero) {
  for (const char* key : {"fetch_width",
                          "decode_width",
                          "issue_width",
                          "commit_width",
                          "fetch_block",
                          "front_end_stages",
                          "fetch_buffer",
                          "rob",
                          "reservation_stations",
                          "load_queue",
                          "store_queue",
                          "alu.count",
                          "mul.latency",
                          "div.interval",
                          "fp.count",
                          "fp_div.latency",
                          "mem.interval",
                          "forward_latency",
                          "watchdog_cycles",
                          "predictor.table_bits",
                          "predictor.btb_entries",
                          "predictor.btb_ways",
                          "predictor.ras_entries",
                          "memory.l1i.size",
                          "memory.l1d.ways",
                          "memory.l2.line",
                          "memory.l1i.latency",
                          "memory.l1d.mshrs",
                          "memory.dram_latency",
                          "memory.dram_interval",
                          "memory.device_latency"}) {
    const std::string path = std::string("core.") + key;
    const text::Diagnostics faults = load_run_text(kSmallest, "t.yaml", {path + "=0"}).diagnostics;
    EXPECT_EQ(faults.size(), 1u) << path << "\n" << text::to_text(faults);
    EXPECT_THAT(text::to_text(faults), HasSubstr(path + ": out of range, expected ")) << path;
  }
}

TEST(Check, NineSelectorsAreOneTooMany) {
  std::string items;
  for (int i = 0; i < 9; ++i) items += "{ profile: edge },";
  EXPECT_THAT(faults(kSmallest + "profilers: [{ name: a, selectors: [" + items + "] }]\n"),
              HasSubstr("profilers.0.selectors: expected at most 8 selectors, got 9"));
}

TEST(Check, AFaultyKeyIsNotReportedTwice) {
  EXPECT_EQ(load_run_text(kSmallest + "profilers: [{ name: a, rate: 5000 }]\n", "t.yaml", {})
                .diagnostics.size(),
            1u);
}

}  // namespace
}  // namespace strobe::config
