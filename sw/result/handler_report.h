// What the handlers of a production set collected, scored against all there was: the key `profile`
// of result.json, and the handlers.* files. docs/results.md
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sc_models/machine/outcome/outcome.h"
#include "sw/profile/reports/program_names.h"
#include "sw/profile/streams/stream_profile.h"

namespace strobe::result {

/// {name, text} of a file.
using NamedText = std::pair<std::string, std::string>;

class HandlerReport {
 public:
  /// Finds the hot data streams, which may take longer than the run. Keeps a reference to the
  /// outcome. @param function_of  of the program @param stem  of the files' names
  HandlerReport(const platform::HandlersOutcome& outcome, profile::FunctionOf function_of,
                std::string stem = "handlers");

  nlohmann::json json() const;
  /// @param with_exhaustive  also the exhaustive profile beside each one that is scored
  std::vector<NamedText> files(const profile::ProgramNames& names, bool with_exhaustive) const;

 private:
  /// By one detector.
  struct Streams {
    profile::StreamProfile collected, exhaustive;
  };

  nlohmann::json streams_json() const;
  nlohmann::json calls_json(const platform::CallsOutcome& calls) const;

  const platform::HandlersOutcome& outcome_;
  profile::FunctionOf function_of_;
  std::string stem_;
  std::vector<std::pair<const char*, Streams>> streams_;  // by the detector's name
};

}  // namespace strobe::result
