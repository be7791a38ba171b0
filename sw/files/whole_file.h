// Files that are written as a whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sw/files/temporary.h"

namespace strobe::files {

/// A file could not be written: "cannot write FILE: REASON; ADVICE".
class WriteError : public std::runtime_error {
 public:
  WriteError(const std::filesystem::path& file, int reason);
  int reason() const { return reason_; }  // an errno

 private:
  int reason_;
};

/// Brings an open file, or the names in an open folder, to disk. @return 0 or the errno; 0 also
/// where the file system cannot do that
int sync_open(int descriptor);

/// A file that gets its name only when all of it is on disk. Without finish() nothing remains.
class WholeFile {
 public:
  /// Makes it as a hidden sibling. Everything is opened here, so that a process may confine itself
  /// before finish(). Throws WriteError.
  explicit WholeFile(const std::filesystem::path& target);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  /// Throws WriteError.
  void write(const void* data, size_t size);
  /// Makes it a program.
  void allow_execution();
  /// Brings what was written to disk. Throws WriteError.
  void flush();
  /// flush(), unless that is done, and gives it its name, which then is on disk too. Throws
  /// WriteError.
  void finish();

 private:
  [[noreturn]] void fail(int reason) const;

  std::filesystem::path target_;
  Temporary temporary_;
  int file_ = -1, folder_ = -1;
};

struct Content {
  std::filesystem::path file;
  std::string_view bytes;
  bool executable = false;
};

/// Writes all of the files or none, in folders that are made where they are missing. Throws
/// WriteError.
void write_whole(const std::vector<Content>& contents);
/// The same for one file. Into what is no regular file, such as /dev/stdout, it writes as far as it
/// gets.
void write_whole(const std::filesystem::path& file, std::string_view content);

}  // namespace strobe::files
