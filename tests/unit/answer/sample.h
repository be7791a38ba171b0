// A profile by hand, of a program without a file.
#pragma once

#include "sw/answer/run_profile.h"

namespace strobe::answer {

/// Function main at 0x100 and f;g at 0x200; edges seen in 1000 samples, all values counted, cycles
/// in parts of 840.
inline RunProfile sample_run() {
  RunProfile run;
  run.directory = "results/sample";
  run.program.name = "sample.elf";
  run.program.sha256 = "0123";
  run.program.looked_in = "sample.elf";
  run.symbols = {
      {0x100, "main"}, {0x104, "main+0x4"}, {0x200, "f;g"}, {~uint64_t{0}, "[machine mode]"}};
  Series edges{"p", "edge", "events", 1, 10, 1000};
  edges.counts = profile::Profile({{{0x104, 0x200}, 6000}, {{0x200, 0x100}, 4000}});
  Series values{"p", "value", "events"};
  values.counts = profile::Profile({{{0x100, 7}, 30}, {{0x100, 8}, 10}, {{0x200, 9}, 10}});
  Series cycles{"truth", "cycles", "cycles", 840};
  cycles.counts = profile::Profile({{{0x100, 0}, 840 * 3}, {{~uint64_t{0}, 0}, 840}});
  Series calls{"calls", "call_target", "events"};
  calls.counts = profile::Profile({{{0x104, 0x200}, 5}});
  run.series = {edges, values, calls, cycles};
  return run;
}

}  // namespace strobe::answer
