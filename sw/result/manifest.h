// manifest.json and host.json: where a result comes from, and what it cost the host.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace strobe::result {

/// A file that the run read.
struct InputFile {
  std::string path;    // empty: there was none
  std::string sha256;  // the hash of the bytes that were read; the file may be another one since
};

struct ManifestInput {
  std::string version;                       // the project's
  std::string git_id;                        // commit it was built from; empty: unknown
  std::map<std::string, std::string> tools;  // versions: "systemc", "verilator", "compiler"
  InputFile strobe;                          // the executable itself
  InputFile elf, firmware, standard_input;
  InputFile debug;           // from which symbols or lines of `elf` came, if it lacks them
  InputFile observer;        // of SHIM
  InputFile link;            // the link record of a program that was edited
  std::string instrumented;  // SHA-256 of the program that was made of `elf`; empty: none was
  std::vector<InputFile> productions;  // in the order of the configuration
  std::string rtl;                     // SHA-256 of the RTL that was simulated; empty: none was
  uint64_t seed = 0;
  std::vector<std::string> command;  // argv of the run: the one thing here that may differ
};

/// {"name", "sha256"}; null for a file that there was not.
nlohmann::json identity(const InputFile& file);

/// The RTL as a manifest has it: {"sha256"}; null for an empty hash.
nlohmann::json rtl_identity(const std::string& sha256);

/// Only the file names of paths are kept. The checksums of the result's files are not in it
/// yet (sw/files/checksums.h).
nlohmann::json make_manifest(const ManifestInput& input);

/// @param seconds       wall-clock time of the simulation
/// @param instructions  simulated in that time, in all modes and regions
/// The peak of the resident memory is this process's so far.
nlohmann::json make_host(double seconds, uint64_t instructions);

}  // namespace strobe::result
