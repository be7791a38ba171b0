// Results of runs that reproductions keep, so that none is repeated.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace strobe {

/// A JSON file of results by key, which says all that decides them but the build of this program.
/// Results of other inputs stay in it, and count again when those come back.
class KeptResults {
 public:
  /// Throws std::runtime_error when the file is there and is damaged.
  explicit KeptResults(std::filesystem::path file);

  /// The result of `run`, which is called in a process of its own unless the file has it; then its
  /// name and its time go to stderr, after a sentence where there is only a result of another build
  /// or of other inputs. Throws std::runtime_error when it fails.
  /// @param key     what is measured, as messages name it
  /// @param inputs  hash of the files and settings that decide the result
  nlohmann::json get(const std::string& key, const std::string& inputs,
                     const std::function<nlohmann::json()>& run);

 private:
  void say_if_outdated(const std::string& key) const;

  std::filesystem::path file_;
  nlohmann::json kept_ = nlohmann::json::object();
};

}  // namespace strobe
