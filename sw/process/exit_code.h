// Exit codes of `strobe`; docs/configuration.md lists them.
#pragma once

namespace strobe {

enum ExitCode : int {
  kExitOk = 0,
  kExitCheckFailed = 1,
  kExitUsage = 2,       // usage or configuration
  kExitSimulation = 3,  // a bad ELF, an illegal instruction, a deadlock
  kExitTimeout = 4,     // max_cycles or max_instructions
  kExitInterrupted = 130,
};

}  // namespace strobe
