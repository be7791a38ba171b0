// `strobe sweep` and `strobe explain`; docs/sweeps.md.
#pragma once

#include <string>

namespace strobe {

struct SweepOptions {
  std::string file, out;
  std::string launcher = "local";
  unsigned jobs = 0;  // 0: one a processor
  bool dry_run = false, yes = false, retry_failed = false, force = false;
};

/// @return the exit code: 1 when a run failed or no design satisfies the constraints
int sweep_command(const SweepOptions& options);

/// `run` is DIR/runs/ID or DIR/ID. @return the exit code
int explain_command(const std::string& run);

}  // namespace strobe
