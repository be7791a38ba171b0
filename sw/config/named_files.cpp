#include "sw/config/named_files.h"

#include <algorithm>
#include <system_error>

#include "sw/files/own_files.h"

namespace strobe::config {

namespace fs = std::filesystem;

namespace {

const std::string kEnding = ".yaml";

}  // namespace

std::string folder_of_names(const std::string& path) {
  const std::string key = path.substr(path.rfind('.') + 1);
  if (key == "core" || key == "service_core") return "cores";
  return path == "workload" ? "workloads" : "";
}

fs::path named_file(const std::string& folder, const std::string& name) {
  return files::source_directory() / "configs" / folder / (name + kEnding);
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(named_file(folder, "").parent_path(), code)) {
    if (entry.path().extension() == kEnding) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace strobe::config
