// strobe reproduce bursty-fig6, bursty-fig7 and bursty-fig8.
#pragma once

#include <filesystem>

#include "sw/reproduce/reproduction.h"

namespace strobe {

/// Results of runs are kept in `folder`, one file a program. Throw std::runtime_error when a run
/// fails.
reproduce::Reproduction bursty_fig6(const std::filesystem::path& folder);
reproduce::Reproduction bursty_fig7(const std::filesystem::path& folder);
reproduce::Reproduction bursty_fig8(const std::filesystem::path& folder);

}  // namespace strobe
