// The commands of bin/strobe-experiments, by name: that program has them, bin/strobe offers them.
#pragma once

namespace strobe {

/// A command as `strobe --help` shows it.
struct CommandName {
  const char* name;
  const char* description;
};

inline constexpr CommandName kReproduce = {
    "reproduce",
    "Reproduce a figure of a paper; exit code 1 when a result differs from the paper's"};
inline constexpr CommandName kOptimize = {
    "optimize", "Schedule a program's hot code for a core, by a profile of its branches"};
inline constexpr CommandName kSynth = {"synth",
                                       "Synthesize a profiler's RTL: area, timing, FPGA cells, and "
                                       "a proof that the netlist equals the RTL"};
inline constexpr CommandName kSweep = {
    "sweep", "Run every design point of a sweep file and keep the results in a database"};
inline constexpr CommandName kExplain = {
    "explain", "Show what a run of a sweep found, how it ended and how to repeat it"};

}  // namespace strobe
