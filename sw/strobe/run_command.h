// `strobe run`: what the command line hands to it.
#pragma once

#include <string>
#include <vector>

namespace strobe {

struct RunOptions {
  std::string file;                       // the run file
  std::string out;                        // the result directory to write
  std::vector<std::string> sets;          // --set, in order
  bool quiet = false;                     // no progress
  bool force = false;                     // replace an existing result directory
  bool no_profiles = false;               // leave profile.NAME.csv out
  bool confined = true;                   // gives up what the run does not need (sw/confine)
  std::vector<std::string> command_line;  // argv, for the manifest
};

/// Loads, runs and writes. @return the exit code of the process (docs/configuration.md lists them);
/// what went wrong is on stderr.
int run_command(const RunOptions& options);

}  // namespace strobe
