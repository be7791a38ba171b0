// A small run with one active and two passive profilers, whose figures can be checked by hand.
#pragma once

#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sw/result/make_result.h"

namespace strobe::result {

inline config::RunConfig sample_configuration() {
  config::RunConfig configuration;
  configuration.workload.elf = "/somewhere/build/hash_join.elf";
  config::SelectorConfig edge, value;
  edge.profile = "edge";
  edge.tag = 0;
  value.profile = "value";
  value.tag = 1;
  for (const char* name : {"strat", "random256", "calls"}) {
    config::ProfilerConfig profiler;
    profiler.name = name;
    profiler.selectors = {edge, value};
    configuration.profilers.push_back(profiler);
  }
  configuration.profilers[0].active = true;
  configuration.profilers[1].kind = config::ProfilerKind::kRandom;
  configuration.profilers[2].selectors = {config::SelectorConfig{}};
  configuration.profilers[2].selectors[0].profile = "call_target";
  return configuration;
}

inline platform::RunOutcome sample_outcome() {
  // Edges: 75 and 25 %. Values of one load: 600, 400.
  const platform::TupleCounts exhaustive{{Tuple{0x10, 0x20, 0}, 750},
                                         {Tuple{0x10, 0x30, 0}, 250},
                                         {Tuple{0x40, 7, 1}, 600},
                                         {Tuple{0x40, 8, 1}, 400}};
  platform::RunOutcome outcome;
  outcome.exit_code = 3;
  outcome.instructions = 5000000;
  outcome.machine_instructions = 12345;
  outcome.cycles = 4040000;
  outcome.syscalls = 17;
  outcome.counters = {{"core.branch.mispredicted", 99}, {"core.cpi.base", 1250000},
                      {"core.cpi.branch", 40400},       {"core.cpi.dependency", 720},
                      {"core.cpi.dram", 2748880},       {"l1d.misses", 5}};

  platform::ProfilerOutcome strat;
  strat.name = "strat";
  strat.kind = "stratified";
  strat.fidelity = "rtl";
  strat.active = true;
  strat.events = 2000;
  strat.messages = 8;
  strat.message_counts = 1900;
  strat.interrupts = 2;
  strat.dropped = 40;
  strat.residue = 60;
  strat.high_water = 5;
  strat.stalls = 6;
  strat.storage_bits = 16384;
  strat.exhaustive = std::make_shared<const platform::TupleCounts>(exhaustive);
  strat.profile = std::make_shared<const platform::TupleCounts>(
      platform::TupleCounts{{Tuple{0x10, 0x20, 0}, 450},
                            {Tuple{0x10, 0x30, 0}, 450},
                            {Tuple{0x40, 7, 1}, 500},
                            {Tuple{0x40, 8, 1}, 500}});

  platform::ProfilerOutcome random = strat;
  random.name = "random256";
  random.kind = "random";
  random.fidelity = "model";
  random.active = false;
  random.messages = 250;
  random.message_counts = 64000;
  random.interrupts = 0;
  random.dropped = random.residue = random.high_water = random.stalls = 0;
  random.storage_bits = 40;
  random.profile = strat.exhaustive;

  platform::ProfilerOutcome calls = random;  // a program that calls nothing
  calls.name = "calls";
  calls.kind = "stratified";
  calls.events = calls.messages = calls.message_counts = 0;
  calls.exhaustive = std::make_shared<const platform::TupleCounts>();
  calls.profile = calls.exhaustive;
  outcome.profilers = {strat, random, calls};
  return outcome;
}

inline const BaselineRun kSampleBaseline = {
    4000000, {{"base", 1250000}, {"dependency", 1120}, {"dram", 2748880}}, std::nullopt};

}  // namespace strobe::result
