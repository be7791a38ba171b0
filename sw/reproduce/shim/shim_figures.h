// The reproductions of SHIM as `strobe reproduce` runs them.
#pragma once

#include <filesystem>

#include "sw/reproduce/reproduction.h"

namespace strobe {

/// `folder` keeps the results of runs.
reproduce::Reproduction shim_fig1(const std::filesystem::path& folder);
reproduce::Reproduction shim_fig4(const std::filesystem::path& folder);
reproduce::Reproduction shim_fig5(const std::filesystem::path& folder);
reproduce::Reproduction shim_fig6(const std::filesystem::path& folder);
reproduce::Reproduction shim_fig7(const std::filesystem::path& folder);
reproduce::Reproduction shim_fig9(const std::filesystem::path& folder);
reproduce::Reproduction shim_fig10(const std::filesystem::path& folder);
reproduce::Reproduction shim_fig11(const std::filesystem::path& folder);
reproduce::Reproduction shim_fig12(const std::filesystem::path& folder);
reproduce::Reproduction shim_fig13(const std::filesystem::path& folder);
/// A figure from 14 to 19.
reproduce::Reproduction shim_phases(const std::filesystem::path& folder, unsigned figure);
reproduce::Reproduction shim_changes(const std::filesystem::path& folder);

}  // namespace strobe
