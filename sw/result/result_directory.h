// The directory a run writes: all of it or nothing.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sc_models/machine/outcome/outcome.h"
#include "sw/process/leftovers.h"
#include "sw/profile/counts/profile.h"
#include "sw/result/handler_report.h"

namespace strobe::result {

/// One sentence: what could not be done, where, why, what to do.
class ResultError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws the ResultError of what could not be done: "cannot WHAT", the error of the host, advice.
[[noreturn]] void throw_result_error(const std::string& what, int error);

/// The file of a profiler's profile. A profiler may be called anything; this says it unmistakably.
std::string profile_file_name(const std::string& profiler);

/// The file of the exhaustive profile that the profile in `file` is scored against.
std::string exhaustive_file_name(const std::string& file);

struct NamedProfile {
  std::string file;  // profile_file_name(), exhaustive_file_name()
  profile::Profile profile;
};

/// The profiles of all profilers, each followed by its exhaustive one if those are asked for.
std::vector<NamedProfile> named_profiles(const std::vector<platform::ProfilerOutcome>& profilers,
                                         bool with_exhaustive);

/// What goes into the directory.
struct RunFiles {
  std::string config;       // config.yaml: the effective configuration
  nlohmann::json manifest;  // manifest.json: make_manifest(); `files` is added
  nlohmann::json result;    // result.json: make_result()
  nlohmann::json host;      // host.json: make_host()
  std::vector<NamedProfile> profiles;
  std::vector<NamedText> reports;     // handlers.*: HandlerReport::files()
  profile::SymbolOf symbol_of;        // names of addresses in the profiles; may be empty
  platform::IntervalTable intervals;  // intervals.csv, left out when it has no columns
  std::string progress;               // progress.csv: progress_text(), left out when empty
};

/// Make one before the run, so that a directory that cannot be written is known at once; call
/// write() after it. Everything goes to a hidden sibling (files::temporary_of) first, is brought to
/// disk and renamed; the destructor removes the sibling if that did not happen, and
/// so does a signal that ends the process; the next run beside it does when the process was killed.
class ResultDirectory {
 public:
  /// Missing parents are made. Throws ResultError when `directory` exists and is not an empty
  /// directory (with `force` a result of an earlier run is accepted, to be replaced by write()), or
  /// when nothing can be written beside it.
  ResultDirectory(const std::filesystem::path& directory, bool force);
  ~ResultDirectory();
  ResultDirectory(const ResultDirectory&) = delete;
  ResultDirectory& operator=(const ResultDirectory&) = delete;

  /// Once. Throws ResultError, and then leaves neither a new directory nor the temporary one; an
  /// old one that should have been replaced is still there.
  void write(const RunFiles& files);

  /// The sibling: files that are made here before write() become part of the result.
  const std::filesystem::path& workspace() const { return temporary_; }

  /// Absolute, without symbolic links.
  const std::filesystem::path& path() const { return target_; }

 private:
  void write_file(const std::string& name, const std::string& text) const;
  void put_in_place();

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  std::optional<RemovedOnSignal> removed_;  // until it is in place
  bool force_;
};

}  // namespace strobe::result
