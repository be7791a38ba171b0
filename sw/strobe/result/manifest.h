// manifest.json and host.json: where a result comes from, and what it cost the host.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace strobe::result {

struct ManifestInput {
  std::string version;                       // of the project
  std::string git_id;                        // commit it was built from; empty: unknown
  std::map<std::string, std::string> tools;  // versions: "systemc", "verilator", "compiler"
  std::string elf;                           // path of the program
  std::string firmware;                      // path of the firmware image; empty: none ran
  uint64_t seed = 0;
  std::vector<std::string> command;  // argv of the run: the one thing here that may differ
};

/// Hashes the program and the firmware. Of the paths only the file names are kept.
/// Throws std::runtime_error when one of the two cannot be read.
nlohmann::json make_manifest(const ManifestInput& input);

/// SHA-256 of a file in hexadecimal. Throws std::runtime_error when it cannot be read.
std::string sha256_of_file(const std::string& path);

/// @param seconds       wall-clock time of the simulation
/// @param instructions  simulated in that time, in all modes and regions
/// The peak of the resident memory is that of this process until now.
nlohmann::json make_host(double seconds, uint64_t instructions);

}  // namespace strobe::result
