// Puts the keys of other files into a tree: those that an `include` names, and those that come with
// Strobe and have a name (named_files.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sw/text/limits.h"
#include "sw/yaml/document.h"

namespace strobe::config {

inline const std::string kInclude = "include";

/// Resolves the includes and names of one run or sweep, all within the limits of one.
class Includer {
 public:
  /// @param directory  of the run file, to which the origins of values are relative
  /// @param allowed  false: the text is not a file, so it includes none
  Includer(std::string directory, bool allowed, text::Diagnostics* diagnostics)
      : directory_(std::move(directory)), allowed_(allowed), diagnostics_(diagnostics) {}

  /// @param path  the node's key path
  /// @param stack  the files that are being read, outermost first
  void resolve(yaml::Node* node, const std::string& path, std::vector<std::string>* stack);
  /// The same for a part of a file that is not a run file.
  void resolve_part(yaml::Node* node, const std::string& path) {
    std::vector<std::string> stack;
    resolve(node, path, &stack);
  }

 private:
  /// A file to be read in place of a node or into it.
  struct File {
    std::filesystem::path path;
    std::string origin;    // as in yaml::Source
    yaml::Mark named_at;   // where the user names it
    std::string key_path;  // the key that names it
  };

  void include(yaml::Node* node, const std::string& path, std::vector<std::string>* stack);
  void include_named(yaml::Node* node, const std::string& path, const std::string& folder,
                     std::vector<std::string>* stack);
  /// @return false with a diagnostic once there are too many
  bool take_file(const yaml::Mark& named_at, const std::string& key_path);
  /// Reads a file with its own includes. @return false with a diagnostic
  bool read(const File& file, const std::string& path, std::vector<std::string>* stack,
            yaml::Node* included);
  std::string origin_of(const std::filesystem::path& target) const;

  std::string directory_;
  bool allowed_;
  text::Diagnostics* diagnostics_;
  text::Budget files_{text::limits::kYamlIncludes}, bytes_{text::limits::kYamlIncludedBytes};
};

}  // namespace strobe::config
