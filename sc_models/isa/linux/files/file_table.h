// The guest's file descriptors.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/isa/linux/files/host_files.h"

namespace strobe::isa {

struct Pipe;
struct Timer;

struct DirectoryEntry {
  std::string name;
  uint8_t type = 0;  // DT_*

  /// The memory that it takes, in bytes.
  size_t size() const { return sizeof *this + name.size(); }
};

/// An open file description, which duplicates of a descriptor share.
struct OpenFile {
  enum class Kind {
    kFile,       // a regular file; its host descriptor holds the position
    kDirectory,  // its sorted entries are read at the first request; a directory above the sandbox
                 // has no host descriptor and no entries
    kOutput,     // stdout or stderr
    kNull,       // /dev/null
    kEmpty,      // stdin without a file: at its end, like a closed pipe
    kPipe,       // an end of a pipe
    kTimer,      // a timer descriptor
  };
  Kind kind = Kind::kFile;
  HostFd host;
  uint64_t flags = 0;            // guest open flags: access mode, O_APPEND, O_NONBLOCK
  std::string guest_path;        // "" for a file without a path
  bool writable_place = false;   // the file lies in a writable directory
  bool kept = false;             // a sandbox directory, or one that leads to it
  int output = 0;                // 1 or 2 for kOutput; the number of a pipe
  std::shared_ptr<Pipe> pipe;    // of kPipe
  std::shared_ptr<Timer> timer;  // of kTimer
  std::vector<DirectoryEntry> entries;
  bool listed = false;
  uint64_t position = 0;  // index of the next entry

  bool readable() const;
  bool writable() const;
};

class FileTable {
 public:
  static constexpr size_t kMost = 1024;

  /// The open file of a descriptor; nullptr for a descriptor that is not open.
  OpenFile* get(uint64_t fd) const;
  /// Gives `file` the lowest free descriptor from `lowest` on. Returns the descriptor, or -EMFILE.
  int64_t add(std::shared_ptr<OpenFile> file, bool close_on_exec, uint64_t lowest = 0);
  /// Makes descriptor `fd` (below kMost) refer to `file`; an open file it had is replaced.
  void set(uint64_t fd, std::shared_ptr<OpenFile> file, bool close_on_exec);
  std::shared_ptr<OpenFile> share(uint64_t fd) const;
  bool close(uint64_t fd);
  /// The memory that the entries of all open directories take, in bytes.
  size_t listed_bytes() const;
  bool& close_on_exec(uint64_t fd) { return slots_[fd].close_on_exec; }

 private:
  struct Slot {
    std::shared_ptr<OpenFile> file;
    bool close_on_exec = false;
  };
  std::vector<Slot> slots_;
};

}  // namespace strobe::isa
