// Tables with tabs between the cells.
#pragma once

#include <algorithm>
#include <string>

namespace strobe::report {

/// @param csv  without quoted cells
inline std::string tab_separated(std::string csv) {
  std::replace(csv.begin(), csv.end(), ',', '\t');
  return csv;
}

}  // namespace strobe::report
