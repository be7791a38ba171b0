// From a document to a RunConfig: types and ranges of each key, and where each value came from.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sc_models/machine/config/run_config.h"
#include "sw/yaml/document.h"

namespace strobe::config {

/// Where the value of a key path came from.
struct Given {
  yaml::Mark mark;
  std::string written;  // a path relative to the run file's directory, for the effective dump
};

struct ReadResult {
  RunConfig configuration;
  std::map<std::string, Given> given;  // key paths that are in the file or an override
  std::set<std::string> faulty;        // key paths with a diagnostic: their values are defaults
};

/// What a tree is to be: a run, which has all keys that are required, or a part of one.
enum class Extent { kRun, kPart };

/// Reads `root`. `directory` is the run file's; paths are resolved against the file that names
/// them.
ReadResult read_run(const yaml::Node& root, const std::string& directory, Extent extent,
                    text::Diagnostics* diagnostics);

/// Host path of a path as written in a file of `directory`: prefixed_path() or relative to it.
std::string resolve_path(const std::string& written, const std::string& directory);

}  // namespace strobe::config
