// `strobe replay`: scores any profilers on a recorded stream.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sc_models/platform/run.h"
#include "sw/config/load.h"

namespace strobe {

/// A stream scored.
struct Replay {
  config::LoadResult loaded;     // of the recorded run with the other profilers
  platform::RunOutcome outcome;  // as of that run
  nlohmann::json header;         // the stream's
  std::map<uint64_t, std::string> symbols;
  uint64_t events = 0;  // used
  std::string damage;   // why not all; empty: the stream is whole
  std::string sha256;   // of the stream's bytes as they were read
};

/// Shows every whole block of the stream to the profilers of a file, one block in memory at a
/// time. With diagnostics in `loaded` nothing was replayed. Throws stream::StreamError when the
/// stream cannot be read at all.
/// @param opened  called when all files are open and the first block has not been read; may be
/// empty
Replay replay_stream(const std::filesystem::path& stream, const std::filesystem::path& profilers,
                     const std::vector<std::string>& sets, const std::function<void()>& opened);

struct ReplayOptions {
  std::string stream, profilers, out;
  std::vector<std::string> sets;
  bool force = false;
  bool no_profiles = false;  // leave profile.NAME.csv out
  bool confined = true;      // gives up what the replay does not need (sw/confine)
  std::vector<std::string> command_line;
};

/// @return the exit code of the process: 1 when the stream is damaged and a part of it was used;
/// what went wrong is on stderr.
int replay_command(const ReplayOptions& options);

}  // namespace strobe
