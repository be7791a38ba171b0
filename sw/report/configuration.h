// The effective configuration of a point, cut from the configuration of its run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sw/report/text_pool.h"

namespace strobe::report {

/// An effective configuration in parts: its sections, with each item of `profilers` a part of its
/// own.
struct ConfigurationPieces {
  std::string before;                  // up to and including the line `profilers:`
  std::vector<std::string> profilers;  // in their order
  std::string after;
};

/// The text of a configuration; "" if there is no such file. Throws ReportError beyond the limits
/// of a YAML file.
std::string effective_configuration(const std::filesystem::path& file);

/// @param effective  the text of config::LoadResult::effective
ConfigurationPieces split_configuration(const std::string& effective);

/// The text with these profilers alone. Indices that do not exist are left out.
TextPool::Text configuration_of(const ConfigurationPieces& pieces,
                                const std::vector<size_t>& profilers, TextPool* pool);

}  // namespace strobe::report
