// The effective configuration of a point, out of that of its run.
#pragma once

#include <string>
#include <vector>

#include "sw/report/text_pool.h"

namespace strobe::report {

/// An effective configuration in pieces: its sections, and under `profilers` a piece an item.
struct ConfigurationPieces {
  std::string before;                  // up to and with the line `profilers:`
  std::vector<std::string> profilers;  // in their order
  std::string after;
};

/// @param effective  as config::LoadResult::effective
ConfigurationPieces split_configuration(const std::string& effective);

/// The text with these profilers alone; places that are not there are left out.
TextPool::Text configuration_of(const ConfigurationPieces& pieces,
                                const std::vector<size_t>& profilers, TextPool* pool);

}  // namespace strobe::report
