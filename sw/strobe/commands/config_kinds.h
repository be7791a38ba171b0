// The kinds of files that `strobe config` checks and has schemas of.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sw/text/diagnostic.h"

namespace strobe {

using Sets = std::vector<std::string>;  // of --set

struct FileKind {
  std::string name;    // "core"
  std::string folder;  // of configs/, with such files
  bool of_run = true;  // a run file or a part of one, which --set changes
  std::function<text::Diagnostics(const std::string& file, const Sets&)> check;
  std::function<std::string()> schema;
};

/// All kinds; run files come first.
const std::vector<FileKind>& file_kinds();

/// The names of all kinds, in their order.
std::vector<std::string> kind_names();

/// The kind of this name, which must be there.
const FileKind& kind_named(const std::string& name);

/// The kind whose schema knows the most keys of the file; of several such the one whose folder the
/// file is in, else the first. A file that cannot be read is a run file, whose check says why.
const FileKind& kind_of(const std::string& file);

}  // namespace strobe
