// The files that a run left in the folder of a sweep: how it ended, and whether that answers what
// was planned.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sw/explore/store/record.h"

namespace strobe::explore {

/// The identity of a file as a manifest has it: {"name", "sha256"}. Throws FolderError when the
/// file cannot be read.
nlohmann::json identity_of(const std::filesystem::path& file);

/// Compares the planned inputs with `loaded`, which is a manifest or has the keys of one. Returns
/// one sentence about the first planned input that differs; empty: the same bytes were loaded.
std::string replaced_input(const nlohmann::json& planned, const nlohmann::json& loaded);

/// What is wrong with the files of a run that ended well: damage, or inputs or a configuration that
/// differ from the planned ones. Empty: nothing is wrong.
std::string fault_of(const Folder& folder, const RunRecord& record);

/// The end of a run of an earlier process. jobs/RUN.end.json has it; where that file is missing,
/// because the process was killed, the run's result has it. Nothing: the run has to be repeated,
/// and `why` names the damaged file, if there is one.
std::optional<RunEnd> left_end(const Folder& folder, const RunRecord& record, std::string* why);

}  // namespace strobe::explore
