// The tables of the named profiler configurations in README.md and docs/tables/configurations.md.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw/text/diagnostic.h"

namespace strobe::gen {

/// The description of a named configuration.
struct NamedConfiguration {
  std::string name;  // configs/profilers/NAME.yaml
  std::string what, maturity;
};

/// Reads configs/synth/maturity.yaml.
std::vector<NamedConfiguration> read_configurations(const std::string& file,
                                                    text::Diagnostics* diagnostics);

/// The table for README.md: one row per configuration, with seven columns for what it is, its
/// storage, area and clock, its overlap and overhead. The figures come from
/// configs/synth/measured.json, which scripts/configurations writes. A figure that is missing there
/// is "not measured". `root` is the path from the page to the root of the tree.
std::string configurations_table(const std::vector<NamedConfiguration>& configurations,
                                 const nlohmann::json& measured, const std::string& root);

/// The page docs/tables/configurations.md: one table for the hardware and one for the quickstart's
/// run.
std::string configurations_page(const std::vector<NamedConfiguration>& configurations,
                                const nlohmann::json& measured);

/// `page` with `text` between its lines <!-- strobe-gen: NAME --> and <!-- strobe-gen: end -->.
/// Throws std::runtime_error that names `file` when the page does not have these lines.
std::string with_region(const std::string& page, const std::string& file, const std::string& name,
                        const std::string& text);

}  // namespace strobe::gen
