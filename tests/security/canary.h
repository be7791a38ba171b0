// Files outside of a sandbox, in a form in which any read or change of them shows.
#pragma once

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace strobe::security {

/// A folder of files. Names and contents hold a text that is nowhere else; print() tells everything
/// about all of them that a guest could change.
class Canary {
 public:
  static constexpr const char* kText = "canary-5e1f0b";

  explicit Canary(std::filesystem::path folder) : folder_(std::move(folder)) {
    namespace fs = std::filesystem;
    fs::create_directories(folder_ / (std::string("sub-") + kText));
    for (const std::string& name : {std::string("key"), std::string("file-") + kText,
                                    std::string("sub-") + kText + "/deep"}) {
      std::ofstream(folder_ / name) << kText << " in " << name << "\n";
    }
    ::chmod((folder_ / "key").c_str(), 0640);
  }

  /// Lists every file below the folder and the folder itself: name, type, permissions, links, size,
  /// times of the last change to content and status, content.
  std::string print() const {
    std::vector<std::string> lines{line(folder_)};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
      lines.push_back(line(entry.path()));
    }
    std::sort(lines.begin(), lines.end());
    std::string all;
    for (const std::string& text : lines) all += text + "\n";
    return all;
  }

  const std::filesystem::path& folder() const { return folder_; }

 private:
  static std::string line(const std::filesystem::path& path) {
    struct stat status {};
    ::lstat(path.c_str(), &status);
    std::ostringstream text;
    text << path.string() << " " << std::oct << status.st_mode << std::dec << " " << status.st_nlink
         << " " << status.st_size << " " << status.st_mtim.tv_sec << "." << status.st_mtim.tv_nsec
         << " " << status.st_ctim.tv_sec << "." << status.st_ctim.tv_nsec;
    if (S_ISREG(status.st_mode)) text << " " << std::ifstream(path).rdbuf();
    return text.str();
  }

  std::filesystem::path folder_;
};

}  // namespace strobe::security
