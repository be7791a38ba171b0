// Results of runs that reproductions keep, so that none is repeated.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace strobe {

/// A JSON file of results by key, which says all that decides them but the build of this program.
class KeptResults {
 public:
  /// Throws std::runtime_error when the file is there and is damaged.
  /// @param programs  hash of the guest's programs, which becomes a part of every key
  KeptResults(std::filesystem::path file, std::string programs);

  /// The result of `run`, which is called in a process of its own unless the file has it. Throws
  /// std::runtime_error when it fails.
  nlohmann::json get(const std::string& key, const std::function<nlohmann::json()>& run);

 private:
  std::filesystem::path file_;
  std::string programs_;
  nlohmann::json kept_ = nlohmann::json::object();
};

}  // namespace strobe
