#include "sw/files/temporary.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <string>
#include <vector>

namespace strobe::files {
namespace {

namespace fs = std::filesystem;

constexpr const char *kMade = ".tmp-", *kReplaced = ".old-";

/// "strobe-HOST-", which a process's number follows.
std::string owner_prefix() {
  std::array<char, HOST_NAME_MAX + 1> host{};
  gethostname(host.data(), host.size() - 1);
  return fmt::format("strobe-{}-", host.data());
}

fs::path sibling(const fs::path& target, const char* purpose) {
  return target.parent_path() /
         fmt::format(".{}{}{}{}", target.filename().string(), purpose, owner_prefix(), getpid());
}

bool lives(const std::string& process) {
  return kill(static_cast<pid_t>(std::stol(process)), 0) == 0 || errno != ESRCH;
}

/// The NAME in ".NAME<purpose>strobe-HOST-PID" of a process that has ended; else empty.
std::string abandoned(const std::string& file, const std::string& purpose) {
  const std::string mark = purpose + owner_prefix();
  const size_t at = file.rfind(mark);
  if (file[0] != '.' || at == std::string::npos || at < 2) return "";
  const std::string process = file.substr(at + mark.size());
  constexpr size_t kMostDigits = 9;
  if (process.empty() || process.size() > kMostDigits ||
      process.find_first_not_of("0123456789") != std::string::npos || lives(process)) {
    return "";
  }
  return file.substr(1, at - 1);
}

bool is_own(const fs::path& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && status.st_uid == geteuid();
}

}  // namespace

fs::path temporary_of(const fs::path& target) { return sibling(target, kMade); }
fs::path replaced_of(const fs::path& target) { return sibling(target, kReplaced); }

Temporary::Temporary(const fs::path& target) : target_(target), path_(temporary_of(target)) {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  removed_.emplace(fs::absolute(path_).string());
}

Temporary::~Temporary() {
  std::error_code ignored;
  if (removed_) fs::remove_all(path_, ignored);
}

void Temporary::place() {
  placing();
  fs::rename(path_, target_);
  removed_.reset();
}

void sweep_leftovers(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    entries.push_back(entry->path());
  }
  for (const fs::path& path : entries) {
    const std::string file = path.filename().string();
    const std::string replaced = abandoned(file, kReplaced);
    if ((replaced.empty() && abandoned(file, kMade).empty()) || !is_own(path)) continue;
    if (!replaced.empty() && !fs::exists(folder / replaced, error)) {
      fs::rename(path, folder / replaced, error);
    } else {
      fs::remove_all(path, error);
    }
  }
}

}  // namespace strobe::files
