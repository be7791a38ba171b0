// The one list of what Strobe executes, or loads from a path: what each thing may do, its
// owner, its hash, and whether a program that Strobe runs may write it. sw/result/out_of_reach.h
// refuses by this list, the hashes of manifest.json are those that it names, and docs/security.md
// shows it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sc_models/machine/config/run_config.h"

namespace strobe::result {

/// The files that a run names, itself or in a file that it names.
struct NamedFiles {
  const config::RunConfig& configuration;
  std::vector<std::filesystem::path> run_files;   // the run file, its includes, a sweep's file
  std::vector<std::filesystem::path> link_files;  // how an edited program is linked
};

struct LoadedThing {
  const char* name;      // in messages, and on the page: "the cache"
  const char* place;     // on the page: where it is
  const char* use;       // on the page: what it can make Strobe do
  const char* owner;     // on the page: its owner
  const char* manifest;  // the key of manifest.json that hashes it; "" when none does

  /// Where the run has it. Empty: a program that Strobe runs may write it.
  std::vector<std::filesystem::path> (*places)(const NamedFiles& run);
  /// Strobe writes below these places too, or trusts all of them: a sandbox directory may not lie
  /// inside of one either.
  bool whole;
};

const std::vector<LoadedThing>& loaded_things();

}  // namespace strobe::result
