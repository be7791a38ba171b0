// The report of a single run: the contents of its result directory.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace strobe::report {

/// The most entries of a profile that a report shows, the largest first.
inline constexpr size_t kMostEntries = 10'000;

/// result.json, the effective configuration, the command, the progress and the profiles of a run in
/// one document; docs/reports.md has its keys. Throws ReportError when a file is missing or
/// damaged.
nlohmann::ordered_json read_run(const std::filesystem::path& directory);

/// A line for each profiler with its numbers in result.json, except for its tags and its ring.
std::string run_csv(const nlohmann::ordered_json& run);

}  // namespace strobe::report
