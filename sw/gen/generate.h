// Every generated file of the tree, and whether the tree holds it as it should be.
#pragma once

#include <string>
#include <vector>

#include "sw/text/diagnostic.h"

namespace strobe::gen {

struct GeneratedFile {
  std::string path;  // relative to the root of the tree
  std::string text;
};

/// Makes all texts from the sources under `root`. Empty, with the faults in `diagnostics`, when a
/// source is wrong.
std::vector<GeneratedFile> generate(const std::string& root, text::Diagnostics* diagnostics);

/// The paths whose files under `root` are missing or differ.
std::vector<std::string> stale(const std::string& root, const std::vector<GeneratedFile>& files);

/// Writes what is stale, making directories as needed; returns the paths written. Throws
/// std::runtime_error naming the file when it cannot be written.
std::vector<std::string> write(const std::string& root, const std::vector<GeneratedFile>& files);

}  // namespace strobe::gen
