// From a run file to one tree: includes merged in, command-line overrides applied.
#pragma once

#include <string>
#include <vector>

#include "sw/yaml/document.h"

namespace strobe::config {

/// Reads `file`, replaces each `include: other.yaml` by the other file's keys (keys beside it win,
/// maps are merged key by key, lists are replaced), and the name of a file that comes with Strobe
/// (named_files.h) by that file's keys; then applies `sets`, each "a.b.0.c=VALUE". A path in a file
/// is relative to that file, a path in `sets` to `sets_directory`, where "" is the working
/// directory; an include that comes back to itself is refused. Faults go to `diagnostics`; false
/// when `file` could not be read or is not YAML, true when `root` can be read on to find the other
/// faults.
bool load_tree(const std::string& file, const std::vector<std::string>& sets, yaml::Node* root,
               text::Diagnostics* diagnostics, const std::string& sets_directory = "");

/// Puts `value` at a key path.
struct Change {
  std::vector<std::string> path;
  yaml::Node value;
  yaml::Mark key_mark = {};  // the path's; without a source the value's own
};

/// "a.0.b" as {"a", "0", "b"}.
std::vector<std::string> split_path(const std::string& path);

/// Follows the path, making maps that are not there, and puts the value at its end. A path through
/// a value or to an item that is not there is a diagnostic.
void apply(const Change& change, yaml::Node* root, text::Diagnostics* diagnostics);

/// The same from text; includes are refused, nothing on the host is read.
bool load_tree_text(const std::string& text, const std::string& name,
                    const std::vector<std::string>& sets, yaml::Node* root,
                    text::Diagnostics* diagnostics);

/// The tree of a recorded run, whose effective configuration is `recorded`, with other profilers:
/// the list in `profilers_file`, or the `profilers` of it if it is a map. Then `sets`, as in
/// load_tree.
bool load_replay_tree(const std::string& recorded, const std::string& profilers_file,
                      const std::vector<std::string>& sets, yaml::Node* root,
                      text::Diagnostics* diagnostics);

}  // namespace strobe::config
