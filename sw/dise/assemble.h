// The assembler: translates production files into the image of the engine's tables.
#pragma once

#include <string>
#include <vector>

#include "sw/dise/image/image.h"

namespace strobe::dise {

struct SourceFile {
  std::string name;  // for messages
  std::string text;
};

struct Assembled {
  Image image;
  std::vector<SourceFile> files;  // the files that assemble_files() has read
  text::Diagnostics faults;       // empty: the image is good

  bool good() const { return faults.empty(); }
};

/// Assembles files that together are one production set. Where replacing productions of different
/// files match the same instruction, a separate entry has both sequences, in the order of the
/// files. Within a file the more specific production wins, then the earlier one
/// (docs/dise-language.md).
Assembled assemble(const std::vector<SourceFile>& files, const Limits& limits);

/// The same for files on the host. A file that cannot be read is a fault.
Assembled assemble_files(const std::vector<std::string>& paths, const Limits& limits);

}  // namespace strobe::dise
