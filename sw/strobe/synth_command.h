// `strobe synth`: what a profiler costs in gates, time and FPGA cells.
#pragma once

#include <string>
#include <vector>

#include "sw/config/run_config.h"
#include "sw/synth/synthesis.h"

namespace strobe {

struct SynthOptions {
  std::string file;                 // a run file: the RTL of its active profiler; empty: none
  std::vector<std::string> sets;    // --set, in order
  std::vector<std::string> blocks;  // "MODULE NAME=NUMBER ..."
  std::vector<std::string> named;   // configurations of configs/synth/configurations.yaml
  bool all = false;                 // every block and configuration that configs/synth lists
  std::string format = "text";      // of what is printed: text, json or markdown
  synth::Options flow;
};

/// The profiling path of a profiler as `strobe synth --block` takes it.
synth::Point profiler_point(const config::RunConfig& configuration,
                            const config::ProfilerConfig& profiler);

/// @return the exit code; what went wrong is on stderr, and then nothing on stdout
int synth_command(const SynthOptions& options);

}  // namespace strobe
