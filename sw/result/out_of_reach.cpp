#include "sw/result/out_of_reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include "sw/files/guest_files.h"
#include "sw/files/own_files.h"
#include "sw/result/result_directory.h"

namespace strobe::result {
namespace {

namespace fs = std::filesystem;

/// Symbolic links followed, without dots; of a path that does not exist yet as far as it does.
fs::path real(const fs::path& path) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) result = fs::absolute(path).lexically_normal();
  return result.has_filename() ? result : result.parent_path();
}

/// Both real.
bool lies_in(const fs::path& path, const fs::path& directory) {
  return std::mismatch(directory.begin(), directory.end(), path.begin(), path.end()).first ==
         directory.end();
}

/// Directories with code that a later run loads and trusts.
std::vector<std::pair<std::string, fs::path>> trusted_places() {
  const fs::path source = files::source_directory();
  std::vector<std::pair<std::string, fs::path>> places = {
      {"the directory of firmware and workloads", files::guest_directory()},
      {"the directory of fetched workloads", files::fetched_directory()},
      {"the directory of RTL sources", source / "rtl"},
      {"the directory of the models, which RTL objects are built of", source / "sc_models"}};
  std::error_code error;
  const fs::path bin = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (!error) {
    places.emplace_back("the directory of strobe itself", bin);
    places.emplace_back("the directory of RTL objects", bin.parent_path() / "rtl");
  }
  if (const char* set = std::getenv("STROBE_RTL_DIR"))
    places.emplace_back("the directory of RTL objects", set);
  if (const char* set = std::getenv("STROBE_CACHE")) {
    places.emplace_back("the cache of RTL objects", set);
  } else if (const char* home = std::getenv("HOME")) {
    places.emplace_back("the cache of RTL objects", fs::path(home) / ".cache/strobe");
  }
  return places;
}

}  // namespace

void check_out_of_reach(const config::WorkloadConfig& workload, const std::string& what,
                        const fs::path& output) {
  for (const std::string& directory : workload.write) {
    const fs::path writable = real(directory);
    const auto meets = [&writable](const fs::path& place) {
      return lies_in(place, writable) || lies_in(writable, place);
    };
    if (meets(real(output))) {
      throw ResultError(fmt::format(
          "{} {} and the sandbox directory {}, which the program may write "
          "(workload.sandbox.write), must not overlap: the program could change its own result; "
          "give another output or another sandbox directory",
          what, real(output).string(), writable.string()));
    }
    for (const auto& [name, place] : trusted_places()) {
      if (!meets(real(place))) continue;
      throw ResultError(fmt::format(
          "{} {} and the sandbox directory {}, which the program may write "
          "(workload.sandbox.write), must not overlap: the program could change what later runs "
          "load; give another sandbox directory",
          name, real(place).string(), writable.string()));
    }
  }
  for (const std::string& directory : workload.read) {
    if (!lies_in(real(directory), real(output))) continue;
    throw ResultError(fmt::format(
        "the sandbox directory {} (workload.sandbox.read) lies in {} {}, which Strobe writes; "
        "give another output or another sandbox directory",
        real(directory).string(), what, real(output).string()));
  }
}

bool may_write(const config::WorkloadConfig& workload, const fs::path& file) {
  return std::any_of(workload.write.begin(), workload.write.end(),
                     [&](const std::string& to) { return lies_in(real(file), real(to)); });
}

}  // namespace strobe::result
