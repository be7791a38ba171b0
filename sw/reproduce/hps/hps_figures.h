// Figures 6 to 8 of HPS on our programs, and what a collected event costs.
#pragma once

#include <filesystem>

#include "sw/reproduce/reproduction.h"

namespace strobe {

/// Each runs what is not yet in `folder` as NAME.hps.json, on every program that is there, from the
/// run files below configs/ of the current directory. Throws std::runtime_error.
reproduce::Reproduction hps_fig6(const std::filesystem::path& folder);
reproduce::Reproduction hps_fig7(const std::filesystem::path& folder);
reproduce::Reproduction hps_fig8(const std::filesystem::path& folder);
reproduce::Reproduction hps_cost(const std::filesystem::path& folder);

}  // namespace strobe
