// What a run left in the folder of a sweep: how it ended, and whether that is the answer to what
// was planned.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sw/explore/record.h"

namespace strobe::explore {

/// A file as a manifest names it: {"name", "sha256"}. Throws FolderError when it cannot be read.
nlohmann::json identity_of(const std::filesystem::path& file);

/// The first planned input of which `loaded`, a manifest or what has its keys, has another: one
/// sentence. Empty: the same bytes were loaded.
std::string replaced_input(const nlohmann::json& planned, const nlohmann::json& loaded);

/// What is wrong with the files of a run that ended well: damage, or inputs or a configuration
/// other than the planned ones. Empty: nothing.
std::string fault_of(const Folder& folder, const RunRecord& record);

/// How a run of an earlier process ended: as jobs/RUN.end.json says, or, where that is missing
/// because the process was killed, as its result does. Nothing: it has to run again, and `why` says
/// which file is damaged, if one is.
std::optional<RunEnd> left_end(const Folder& folder, const RunRecord& record, std::string* why);

}  // namespace strobe::explore
