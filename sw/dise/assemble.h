// The assembler: production files to the image of the engine's tables.
#pragma once

#include <string>
#include <vector>

#include "sw/dise/image.h"

namespace strobe::dise {

struct SourceFile {
  std::string name;  // for messages
  std::string text;
};

struct Assembled {
  Image image;
  std::vector<SourceFile> files;  // that assemble_files() read
  text::Diagnostics faults;       // empty: the image is good

  bool good() const { return faults.empty(); }
};

/// The files are one production set. Where replacing productions of different files match the same
/// instruction, an entry of its own has both sequences, in the order of the files; inside a file
/// the more specific production wins, then the earlier (docs/dise-language.md).
Assembled assemble(const std::vector<SourceFile>& files, const Limits& limits);

/// The same from files on the host; one that cannot be read is a fault.
Assembled assemble_files(const std::vector<std::string>& paths, const Limits& limits);

}  // namespace strobe::dise
