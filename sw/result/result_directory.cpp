#include "sw/result/result_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <system_error>

#include "sw/files/advice.h"
#include "sw/files/checksums.h"
#include "sw/files/temporary.h"
#include "sw/profile/reports/export.h"
#include "sw/text/json_text.h"

namespace strobe::result {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what, int error) {
  throw ResultError(
      fmt::format("cannot {}: {}; no result was kept: {}, or give another output "
                  "directory",
                  what, std::strerror(error), files::advice_for(error)));
}

/// Brings what was written into a file or a directory to disk; the errno if that failed, or 0.
int sync(const fs::path& path, int flags) {
  const int descriptor = open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) return errno;
  // A file system that cannot sync says EINVAL; that is no reason to lose the result.
  const int error = fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
  close(descriptor);
  return error;
}

/// Removes a directory as far as that is possible.
void remove_directory(const fs::path& directory) {
  std::error_code ignored;
  fs::remove_all(directory, ignored);
  // It tries unlink() on the directory first. In the parent a confined run (sw/confine) may remove
  // directories alone, and gets EACCES for that, not EISDIR.
  ::rmdir(directory.c_str());
}

std::string json_text(const nlohmann::json& document) {
  return text::json_text(document, 2) + "\n";
}

/// Where `directory` really is: symbolic links followed, no dots, no slash at the end.
fs::path resolve(const fs::path& directory) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(fs::absolute(directory, error), error);
  if (error || directory.empty()) {
    throw ResultError(fmt::format("the output directory '{}' is not a usable path: {}",
                                  directory.string(), error ? error.message() : "it is empty"));
  }
  if (!result.has_filename()) result = result.parent_path();
  return result;
}

void check_target(const fs::path& target, bool force) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) {
    throw ResultError(
        fmt::format("the output directory {} exists and is not a directory: give another name",
                    target.string()));
  }
  if (fs::is_empty(target, error)) return;
  if (error) fail(fmt::format("look into {}", target.string()), error.value());
  if (!force) {
    throw ResultError(fmt::format(
        "the output directory {} exists and is not empty: give another name, or --force to "
        "replace it",
        target.string()));
  }
  if (!fs::exists(target / "manifest.json", error)) {
    throw ResultError(fmt::format(
        "the output directory {} holds something that is not the result of a run (it has no "
        "manifest.json), which --force does not replace: give another name",
        target.string()));
  }
}

/// A line an interval: its number from 0, then what each counter counted in it.
std::string intervals_text(const platform::IntervalTable& table) {
  std::string text = "interval";
  for (const std::string& name : table.names) text += "," + name;
  text += "\n";
  for (size_t i = 0; i < table.rows.size(); ++i) {
    text += std::to_string(i);
    for (const uint64_t value : table.rows[i]) text += "," + std::to_string(value);
    text += "\n";
  }
  return text;
}

}  // namespace

void throw_result_error(const std::string& what, int error) { fail(what, error); }

std::string profile_file_name(const std::string& profiler) {
  std::string result = "profile.";
  for (const char c : profiler) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.';
    result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result + ".csv";
}

std::string exhaustive_file_name(const std::string& file) { return "exhaustive." + file; }

std::vector<NamedProfile> named_profiles(const std::vector<platform::ProfilerOutcome>& profilers,
                                         bool with_exhaustive) {
  std::vector<NamedProfile> named;
  for (const platform::ProfilerOutcome& profiler : profilers) {
    const std::string file = profile_file_name(profiler.name);
    named.push_back({file, profile::Profile(*profiler.profile)});
    if (!with_exhaustive) continue;
    named.push_back({exhaustive_file_name(file), profile::Profile(*profiler.exhaustive)});
  }
  return named;
}

ResultDirectory::ResultDirectory(const fs::path& directory, bool force)
    : target_(resolve(directory)), force_(force) {
  check_target(target_, force_);
  std::error_code error;
  fs::create_directories(target_.parent_path(), error);
  if (error) fail(fmt::format("make {}", target_.parent_path().string()), error.value());
  files::sweep_leftovers(target_.parent_path());
  const fs::path temporary = files::temporary_of(target_);
  fs::remove_all(temporary, error);  // left by an earlier process with this number
  if (!fs::create_directory(temporary, error)) {
    fail(fmt::format("make {}", temporary.string()), error.value());
  }
  temporary_ = temporary;
  removed_.emplace(temporary.string());
}

ResultDirectory::~ResultDirectory() {
  if (!temporary_.empty()) remove_directory(temporary_);
}

void ResultDirectory::write(const RunFiles& files) {
  try {
    for (const fs::directory_entry& made : fs::directory_iterator(temporary_)) {
      if (const int reason = sync(made.path(), O_RDONLY)) {
        fail(fmt::format("flush {} to disk", made.path().string()), reason);
      }
    }
    write_file("config.yaml", files.config);
    write_file("result.json", json_text(files.result));
    write_file("host.json", json_text(files.host));
    for (const NamedProfile& named : files.profiles) {
      std::ostringstream text;
      profile::write_csv(named.profile, text, files.symbol_of);
      write_file(named.file, text.str());
    }
    for (const auto& [name, text] : files.reports) write_file(name, text);
    if (!files.intervals.names.empty()) {
      write_file("intervals.csv", intervals_text(files.intervals));
    }
    if (!files.progress.empty()) write_file("progress.csv", files.progress);
    nlohmann::json manifest = files.manifest;
    manifest["files"] = files::checksums_of(temporary_);
    write_file("manifest.json", json_text(manifest));
    put_in_place();
  } catch (...) {
    remove_directory(temporary_);
    throw;
  }
}

void ResultDirectory::write_file(const std::string& name, const std::string& text) const {
  const fs::path path = temporary_ / name;
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(fmt::format("make {}", path.string()), errno);
  int error = 0;
  for (size_t done = 0; done < text.size() && error == 0;) {
    const ssize_t written = ::write(descriptor, text.data() + done, text.size() - done);
    if (written >= 0) {
      done += static_cast<size_t>(written);
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0) error = sync(path, O_RDONLY);
  if (error != 0) fail(fmt::format("write {}", path.string()), error);
}

void ResultDirectory::put_in_place() {
  if (const int reason = sync(temporary_, O_RDONLY | O_DIRECTORY)) {
    fail(fmt::format("flush {} to disk", temporary_.string()), reason);
  }
  check_target(target_, force_);  // it may have come into being while the program ran
  std::error_code error;
  fs::path old;
  if (fs::exists(target_, error) && !fs::is_empty(target_, error)) {
    old = files::replaced_of(target_);
    fs::rename(target_, old, error);
    if (error) {
      fail(fmt::format("move the old {} out of the way", target_.string()), error.value());
    }
  }
  placing();
  fs::rename(temporary_, target_, error);
  if (error) {
    const int reason = error.value();
    if (!old.empty()) fs::rename(old, target_, error);
    fail(fmt::format("rename {} to {}", temporary_.string(), target_.string()), reason);
  }
  temporary_.clear();
  removed_.reset();
  if (!old.empty()) remove_directory(old);
  // The result is there and whole; a rename that a power failure undoes is no error of this run.
  sync(target_.parent_path(), O_RDONLY | O_DIRECTORY);
}

}  // namespace strobe::result
