#include "sw/config/check/core_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace strobe::config {

void CoreChecker::check_cache(const std::string& path, const memory::CacheParams& p,
                              const std::string& lines, unsigned line) {
  expect_power_of_two(path + ".line", p.line);
  const uint64_t set = uint64_t{p.ways} * p.line;
  expect(p.size % set == 0 && power_of_two(p.size / set),
         {path + ".size", path + ".ways", path + ".line"},
         fmt::format("expected a power of two times ways * line = {} bytes, got {}", set, p.size));
  expect(p.line == line, {path + ".line", lines + ".line"},
         fmt::format("expected the line size of {}, which is {}, got {}", lines, line, p.line));
}

void CoreChecker::check(const std::string& at, const core::CoreParams& p) {
  const std::string l1d = at + ".memory.l1d";
  expect_power_of_two(at + ".fetch_block", p.fetch_block);
  expect_at_most(at + ".fetch_block", p.fetch_block, at + ".memory.l1i.line", p.memory.l1i.line);
  expect_at_most(at + ".decode_width", p.decode_width, at + ".rob", p.rob);
  expect_at_most(at + ".commit_width", p.commit_width, at + ".rob", p.rob);
  expect_at_most(at + ".fetch_width", p.fetch_width, at + ".fetch_buffer", p.fetch_buffer);
  expect_at_most(at + ".decode_width", p.decode_width, at + ".fetch_buffer", p.fetch_buffer);
  expect_at_most(at + ".reservation_stations", p.reservation_stations, at + ".rob", p.rob);
  expect_power_of_two(at + ".predictor.btb_entries", p.predictor.btb_entries);
  expect_power_of_two(at + ".predictor.btb_ways", p.predictor.btb_ways);
  expect_at_most(at + ".predictor.btb_ways", p.predictor.btb_ways, at + ".predictor.btb_entries",
                 p.predictor.btb_entries);
  if (p.predictor.kind == "gshare") {
    expect_at_most(at + ".predictor.history_bits", p.predictor.history_bits,
                   at + ".predictor.table_bits", p.predictor.table_bits);
  }
  if (p.predictor.kind == "tage") {
    expect_at_most(at + ".predictor.tage.min_history", p.predictor.tage.min_history,
                   at + ".predictor.tage.max_history", p.predictor.tage.max_history);
  }
  check_cache(at + ".memory.l1i", p.memory.l1i, l1d, p.memory.l1d.line);
  check_cache(at + ".memory.l1d", p.memory.l1d, l1d, p.memory.l1d.line);
  check_cache(at + ".memory.l2", p.memory.l2, l1d, p.memory.l1d.line);
  expect(
      p.memory.l1i.latency < p.front_end_stages,
      {at + ".memory.l1i.latency", at + ".front_end_stages"},
      fmt::format(
          "expected less than {}.front_end_stages, which is {} and includes this latency, got {}",
          at, p.front_end_stages, p.memory.l1i.latency));
  check_halves(at, p);
  check_dram(at, p);
  check_watchdog(at, p);
}

void CoreChecker::check_second(const std::string& at, const core::CoreParams& p) {
  if (read_.given.count(at) == 0) return;  // the run's core, checked already
  const core::CoreParams& run = read_.configuration.core;
  check(at, p);
  expect(p.memory.l1d.line == run.memory.l1d.line,
         {at + ".memory.l1d.line", "core.memory.l1d.line"},
         fmt::format("expected the line size of core.memory.l1d, which is {}, got {}",
                     run.memory.l1d.line, p.memory.l1d.line));
  expect(p.frequency_ghz == run.frequency_ghz, {at + ".frequency_ghz", "core.frequency_ghz"},
         fmt::format(
             "expected core.frequency_ghz, which is {}, because the cores share one clock, got {}",
             run.frequency_ghz, p.frequency_ghz));
}

void CoreChecker::check_halves(const std::string& at, const core::CoreParams& p) {
  if (p.threads == 1 || p.smt.buffers == core::Buffers::kShared) return;
  const std::pair<const char*, unsigned> halved[] = {
      {".rob", p.rob}, {".load_queue", p.load_queue}, {".store_queue", p.store_queue}};
  for (const auto& [key, size] : halved) {
    expect(size >= 2, {at + key, at + ".smt.buffers", at + ".threads"},
           fmt::format("expected at least 2, because {}.smt.buffers: halves gives each of the two "
                       "harts half of it, got {}",
                       at, size));
  }
}

void CoreChecker::check_dram(const std::string& at, const core::CoreParams& p) {
  constexpr unsigned kMostCycles = 10000;  // as of the keys in cycles
  const memory::MemoryParams& m = p.memory;
  for (const auto& [key, cycles] :
       {std::pair("dram_latency_ns", m.dram_latency_at(p.frequency_ghz)),
        std::pair("dram_interval_ns", m.dram_interval_at(p.frequency_ghz))}) {
    const std::string path = at + ".memory." + key;
    expect(cycles <= kMostCycles, {path, at + ".frequency_ghz"},
           fmt::format("expected at most {} cycles, got {} at {}.frequency_ghz, which is {}",
                       kMostCycles, cycles, at, p.frequency_ghz));
  }
}

void CoreChecker::check_watchdog(const std::string& at, const core::CoreParams& p) {
  const memory::MemoryParams& m = p.memory;
  const std::pair<std::string, uint64_t> waits[] = {
      {at + ".syscall_cycles", p.syscall_cycles},
      {at + ".trap_cycles", p.trap_cycles},
      {at + ".clock_read_cycles", p.clock_read_cycles},
      {at + ".counter_read_cycles", p.counter_read_cycles},
      {at + ".div.latency", p.div.latency},
      {at + ".fp_div.latency", p.fp_div.latency},
      {at + ".memory.device_latency", m.device_latency},
      {at + (m.dram_latency_ns > 0 ? ".memory.dram_latency_ns" : ".memory.dram_latency"),
       uint64_t{m.l1d.latency} + m.l2.latency + 2 * uint64_t{m.bus_latency} +
           m.dram_latency_at(p.frequency_ghz)}};
  const auto longest = std::max_element(
      std::begin(waits), std::end(waits),
      [](const auto& one, const auto& other) { return one.second < other.second; });
  expect(p.watchdog_cycles > longest->second, {at + ".watchdog_cycles", longest->first},
         fmt::format("expected more than the {} cycles that {} lets one instruction take, got {}",
                     longest->second, longest->first, p.watchdog_cycles));
}

}  // namespace strobe::config
