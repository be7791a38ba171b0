// The tables of the named profiler configurations in README.md and docs/tables/configurations.md.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw/text/diagnostic.h"

namespace strobe::gen {

/// What is said of a configuration in words.
struct NamedConfiguration {
  std::string name;  // configs/profilers/NAME.yaml
  std::string what, maturity;
};

/// Reads configs/synth/maturity.yaml.
std::vector<NamedConfiguration> read_configurations(const std::string& file,
                                                    text::Diagnostics* diagnostics);

/// A row a configuration in seven columns, for README.md: what it is, its storage, area and clock,
/// its overlap and overhead. The figures are those of configs/synth/measured.json, which
/// scripts/configurations writes; what is not there is "not measured". `root` leads from the page
/// to the root of the tree.
std::string configurations_table(const std::vector<NamedConfiguration>& configurations,
                                 const nlohmann::json& measured, const std::string& root);

/// The page docs/tables/configurations.md: one table of the hardware, one of the quickstart's run.
std::string configurations_page(const std::vector<NamedConfiguration>& configurations,
                                const nlohmann::json& measured);

/// `page` with `text` between its lines <!-- strobe-gen: NAME --> and <!-- strobe-gen: end -->.
/// Throws std::runtime_error that names `file` when it does not have them.
std::string with_region(const std::string& page, const std::string& file, const std::string& name,
                        const std::string& text);

}  // namespace strobe::gen
