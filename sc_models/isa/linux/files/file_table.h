// The guest's file descriptors.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/isa/linux/files/host_files.h"

namespace strobe::isa {

class EventQueue;
class MemoryFile;
struct EventCounter;
struct Pipe;
struct Socket;
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
    // What follows is inside of the program and has no file of the host.
    kPipe,          // an end of a pipe
    kSocket,        // of socketpair
    kEventCounter,  // an eventfd
    kEventQueue,    // an epoll descriptor
    kTimer,         // a timer descriptor
    kMemory,        // a file of memfd_create
  };
  Kind kind = Kind::kFile;
  HostFd host;
  uint64_t flags = 0;           // guest open flags: access mode, O_APPEND, O_NONBLOCK
  std::string guest_path;       // "" for a file without a path
  bool writable_place = false;  // the file lies in a writable directory
  bool kept = false;            // a sandbox directory, or one that leads to it
  int output = 0;               // 1 or 2 for kOutput; a number of its own inside of the program
  std::shared_ptr<Pipe> pipe;   // each of these belongs to the kind of its name
  std::shared_ptr<Socket> socket;
  std::shared_ptr<EventCounter> counter;
  std::shared_ptr<EventQueue> queue;
  std::shared_ptr<Timer> timer;
  std::shared_ptr<MemoryFile> memory;
  std::vector<DirectoryEntry> entries;
  bool listed = false;
  uint64_t position = 0;  // index of the next entry; of kMemory the next byte

  /// What is written into it is read from another end, in order, and cannot be sought.
  bool is_stream() const {
    return kind == Kind::kPipe || kind == Kind::kSocket || kind == Kind::kEventCounter ||
           kind == Kind::kTimer;
  }
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
  /// The number of descriptors that all epoll descriptors watch.
  size_t watched() const;
  bool& close_on_exec(uint64_t fd) { return slots_[fd].close_on_exec; }

 private:
  struct Slot {
    std::shared_ptr<OpenFile> file;
    bool close_on_exec = false;
  };
  std::vector<Slot> slots_;
};

}  // namespace strobe::isa
