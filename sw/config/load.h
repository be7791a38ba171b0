// A run file, checked, as a RunConfig; or everything that is wrong with it.
#pragma once

#include <string>
#include <vector>

#include "sc_models/machine/config/run_config.h"
#include "sw/config/parts.h"
#include "sw/text/diagnostic.h"
#include "sw/yaml/document.h"

namespace strobe::config {

/// One value of the effective configuration.
struct EffectiveValue {
  std::string path;   // "core.memory.l1d.size"
  std::string value;  // as YAML
  std::string
      origin;  // "default", "derived", "quickstart.yaml:7" (relative to the run file), "--set"
  std::string description;  // with the unit
};

struct LoadResult {
  RunConfig configuration;             // meaningful when there are no diagnostics
  std::string effective;               // YAML of every value, each with its origin in a comment
  std::string portable;                // the same for a result: files without their directories
  std::vector<EffectiveValue> values;  // the same, one by one
  std::vector<std::string> files;      // that the values come from: the run file, its includes
  text::Diagnostics diagnostics;       // every fault of the file, its includes and the overrides

  bool good() const { return diagnostics.empty(); }
};

/// Reads a run file with its includes, applies `sets` ("a.b.0.c=VALUE", with paths relative to
/// `sets_directory`, where "" is the working directory), derives what was left out and checks.
/// Never throws for bad input. The effective YAML, stored beside the run file, loads to the same
/// configuration; it holds no path of the host that the user did not write.
LoadResult load_run_config(const std::string& file, const std::vector<std::string>& sets,
                           const std::string& sets_directory = "");

/// The same from text, without includes; `name` stands for the file.
LoadResult load_run_text(const std::string& text, const std::string& name,
                         const std::vector<std::string>& sets);

/// The same from a tree (tree.h) of a run file. `directory` is where LoadResult::effective is to be
/// stored: its paths are relative to that.
LoadResult load_run_tree(const yaml::Node& root, const std::string& directory);

/// What is wrong with the keys of a tree one by one: names, types and ranges.
text::Diagnostics check_keys(const yaml::Node& root);

/// What is wrong with a file that is a part of a run, with its includes and with `sets`, whose keys
/// are those of the file. What it may leave to the run file is not missing.
text::Diagnostics check_part(const std::string& file, const Part& part,
                             const std::vector<std::string>& sets);

/// The configuration of a recorded run with the profilers of another file, which only watch and
/// select what was recorded. Of `sets` only profilers, progress and seed are taken.
/// @param recorded  LoadResult::effective of the run that was recorded
LoadResult load_replay_config(const std::string& recorded, const std::string& profilers_file,
                              const std::vector<std::string>& sets);

}  // namespace strobe::config
