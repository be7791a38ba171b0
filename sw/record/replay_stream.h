// Scores profilers on a recorded stream.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sc_models/machine/outcome/outcome.h"
#include "sw/config/load.h"

namespace strobe {

/// A stream scored.
struct Replay {
  config::LoadResult loaded;     // the recorded run's, with the other profilers
  platform::RunOutcome outcome;  // as of that run
  nlohmann::json header;         // the stream's
  std::map<uint64_t, std::string> symbols;
  uint64_t events = 0;  // used
  std::string damage;   // why not all; empty: the stream is whole
  std::string sha256;   // the hash of the stream's bytes as they were read
};

/// Shows every whole block of the stream to the profilers of a file, one block in memory at a
/// time. With diagnostics in `loaded` nothing was replayed. Throws stream::StreamError when the
/// stream cannot be read at all.
/// @param opened  called when all files are open and the first block has not been read; may be
/// empty
Replay replay_stream(const std::filesystem::path& stream, const std::filesystem::path& profilers,
                     const std::vector<std::string>& sets, const std::function<void()>& opened);

}  // namespace strobe
