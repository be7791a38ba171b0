#include "sw/result/out_of_reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

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

}  // namespace

void check_out_of_reach(const NamedFiles& run, const std::string& what, const fs::path& output) {
  const config::WorkloadConfig& workload = run.configuration.workload;
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
    for (const LoadedThing& thing : loaded_things()) {
      if (thing.places == nullptr) continue;
      for (const fs::path& place : thing.places(run)) {
        if (thing.whole ? !meets(real(place)) : !lies_in(real(place), writable)) continue;
        throw ResultError(fmt::format(
            "{} {} and the sandbox directory {}, which the program may write "
            "(workload.sandbox.write), must not overlap: the program could change what later runs "
            "load; give another sandbox directory",
            thing.name, real(place).string(), writable.string()));
      }
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
