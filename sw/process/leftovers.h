// What a process that a signal ends must not leave: files on their way into place, and children.
#pragma once

#include <sys/types.h>

#include <string>

namespace strobe {

/// Until the end of its life, remove_leftovers() removes a path: a file, or a folder with
/// everything in it.
class RemovedOnSignal {
 public:
  explicit RemovedOnSignal(const std::string& path);
  ~RemovedOnSignal();
  RemovedOnSignal(const RemovedOnSignal&) = delete;
  RemovedOnSignal& operator=(const RemovedOnSignal&) = delete;

 private:
  size_t slot_;
};

/// Until the end of its life, remove_leftovers() ends a child and waits for it.
class EndedOnSignal {
 public:
  /// @param group  the child leads a process group, all of which is ended
  explicit EndedOnSignal(pid_t child, bool group = false);
  ~EndedOnSignal();
  EndedOnSignal(const EndedOnSignal&) = delete;
  EndedOnSignal& operator=(const EndedOnSignal&) = delete;

 private:
  size_t slot_;
};

/// Says that a file or folder of this command is about to get its name, and has_placed() that one
/// was.
void placing();
bool has_placed();

/// Ends the children first, then removes the paths. It makes only calls that a signal handler may
/// make, and touches nothing that the process which forked this one has named.
void remove_leftovers();

}  // namespace strobe
