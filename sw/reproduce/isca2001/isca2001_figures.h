// Figures 7 to 11 of ISCA 2001 on recorded streams of our programs, and its overhead measured.
#pragma once

#include <filesystem>

#include "sw/reproduce/reproduction.h"

namespace strobe {

/// Each records what is not yet in `folder` as NAME.SELECTION.stream, from the run files below
/// configs/ of the current directory, and keeps what it measures as NAME.isca2001.json. Throws
/// std::runtime_error.
reproduce::Reproduction isca2001_fig7(const std::filesystem::path& folder);
reproduce::Reproduction isca2001_fig8(const std::filesystem::path& folder);
reproduce::Reproduction isca2001_fig9(const std::filesystem::path& folder);
reproduce::Reproduction isca2001_fig10(const std::filesystem::path& folder);
reproduce::Reproduction isca2001_fig11(const std::filesystem::path& folder);
/// Needs no streams.
reproduce::Reproduction isca2001_measured(const std::filesystem::path& folder);

}  // namespace strobe
