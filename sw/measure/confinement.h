// What the commands that execute a program or read a stream give up of the host before they do.
#pragma once

#include <nlohmann/json.hpp>

#include "sc_models/machine/config/run_config.h"
#include "sw/confine/confine.h"
#include "sw/result/result_directory.h"

namespace strobe {

/// What a program opens while it runs: its sandbox directories.
confine::Grants sandbox_grants(const config::RunConfig& configuration);

/// What a second run in one process reads anew.
void grant_again(const config::RunConfig& configuration, confine::Grants& grants);

/// What write() of the directory needs.
void grant_result(const result::ResultDirectory& directory, confine::Grants& grants);

/// Confines this process unless `wanted` is false, and warns of what is not in force.
confine::Confinement confine_or_warn(const confine::Grants& grants, bool wanted);

/// As host.json has it.
nlohmann::json confinement_json(const confine::Confinement& confinement);

}  // namespace strobe
