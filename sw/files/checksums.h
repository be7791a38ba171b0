// The checksums of a result's files, which stand in its manifest, so that a reader of the result
// can tell that it is the one that was written.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace strobe::files {

/// SHA-256 by file name, for the key `files` of the manifest: all files of the directory but
/// manifest.json, which holds them, and host.json, which differs between equal runs.
nlohmann::json checksums_of(const std::filesystem::path& directory);

/// What is wrong with the files of a result: one sentence that names the first that is missing or
/// differs from its checksum. Empty: all are as they were written.
std::string damage_of(const std::filesystem::path& directory);

}  // namespace strobe::files
