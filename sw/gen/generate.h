// All generated files of the tree, and the check that the tree has their current text.
#pragma once

#include <string>
#include <vector>

#include "sw/text/diagnostic.h"

namespace strobe::gen {

struct GeneratedFile {
  std::string path;  // relative to the root of the tree
  std::string text;
};

/// Makes all texts from the sources under `root`. Returns nothing, and adds the faults to
/// `diagnostics`, when a source is wrong.
std::vector<GeneratedFile> generate(const std::string& root, text::Diagnostics* diagnostics);

/// The paths whose files under `root` are missing or differ.
std::vector<std::string> stale(const std::string& root, const std::vector<GeneratedFile>& files);

/// Writes the stale files and makes directories as needed. Returns the paths written. Throws
/// std::runtime_error that names the file when one cannot be written.
std::vector<std::string> write(const std::string& root, const std::vector<GeneratedFile>& files);

}  // namespace strobe::gen
