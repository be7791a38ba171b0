// What the directory of a sweep says of a run: jobs/RUN.json is written before the run,
// jobs/RUN.end.json after it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sw/explore/space/merge.h"

namespace strobe::explore {

struct PointRecord {
  std::string key;       // the hash of everything that identifies the point
  std::string label;     // the design's label
  std::string workload;  // the workload's name
  uint64_t seed = 0;
  std::optional<uint64_t> budget;        // for a rung that is not the last
  std::vector<nlohmann::json> settings;  // by axis and key: a number, a text or null
  Observed observed;
  /// The places of the point and its design in the plan, from 1, for their ids in the database. A
  /// job file has none.
  int64_t place = 0, design_place = 0;
};

struct RunRecord {
  std::string id;
  std::string kind = "run";  // run | record | replay | synth
  std::vector<std::string> command;
  /// The files it is planned to read, by their keys in manifest.json: {"name", "sha256"} each.
  nlohmann::json inputs = nlohmann::json::object();
  /// The SHA-256 of the configuration that its result must have; "" for a recording and a replay.
  std::string configuration;
  std::vector<PointRecord> points;
};

/// How a run ended.
struct RunEnd {
  std::string status = "done";  // done | failed | timeout | out_of_memory | lost
  std::string reason;           // one sentence; empty when done
  int exit_code = 0, signal = 0;
  double seconds = 0;
  uint64_t peak_rss_bytes = 0;
  std::string stream;  // for a successful recording: the SHA-256 of its stream
};

// The JSON has a checksum of its own. Reading throws std::exception when the checksum does not fit.
void to_json(nlohmann::json& json, const RunRecord& record);
void from_json(const nlohmann::json& json, RunRecord& record);
void to_json(nlohmann::json& json, const RunEnd& end);
void from_json(const nlohmann::json& json, RunEnd& end);

/// The files of a sweep.
struct Folder {
  std::filesystem::path root;

  std::filesystem::path database() const { return root / "sweep.sqlite"; }
  std::filesystem::path jobs() const { return root / "jobs"; }
  std::filesystem::path job(const std::string& id, const std::string& ending) const {
    return jobs() / (id + ending);
  }
  std::filesystem::path run(const std::string& id) const { return root / "runs" / id; }
  std::filesystem::path stream(const std::string& id) const { return root / "streams" / id; }
};

/// A file of the sweep could not be written or read: one sentence that says what to do.
class FolderError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes the whole file or nothing. Throws FolderError.
void write_whole(const std::filesystem::path& file, const std::string& text);
/// Throws FolderError when the file does not exist or is not JSON.
nlohmann::json read_json(const std::filesystem::path& file);
/// Why a file of JSON is not what was written to it, such as "jobs/1.json is damaged: key 'id' not
/// found".
std::string damage_of(const std::filesystem::path& file, const nlohmann::json::exception& error);
/// Reads a RunRecord or a RunEnd. Throws FolderError, also when a part of it is missing.
template <class T>
T read_record(const std::filesystem::path& file) {
  try {
    return read_json(file).get<T>();
  } catch (const nlohmann::json::exception& error) {
    throw FolderError(damage_of(file, error) + "; remove it and start the sweep again");
  }
}

/// A command as a shell takes it.
std::string shell_text(const std::vector<std::string>& command);

/// The hash of a text: 32 hex digits of XXH3.
std::string hash_text(const std::string& text);
/// The same hash of a file's bytes. Throws FolderError.
std::string hash_file(const std::filesystem::path& file);

}  // namespace strobe::explore
