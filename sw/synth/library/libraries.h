// The cell libraries that are known by name.
#pragma once

#include <string>
#include <vector>

#include "sw/text/diagnostic.h"

namespace strobe::synth {

struct LibraryEntry {
  std::string name;
  std::string file;
  std::string package;    // the Debian package
  double feature_nm = 0;  // 0: unknown
};

/// Reads libraries.yaml.
std::vector<LibraryEntry> read_libraries(const std::string& file, text::Diagnostics* diagnostics);

/// Returns the known library of this name, or an entry for a Liberty file. Throws
/// std::invalid_argument for an unknown name, and for a known library whose package is not
/// installed.
LibraryEntry find_library(const std::vector<LibraryEntry>& known, const std::string& wanted);

}  // namespace strobe::synth
