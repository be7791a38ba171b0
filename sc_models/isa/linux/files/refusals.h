// What the sandbox refused a program: the number of refusals, and the paths of the first ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::isa {

/// Why the sandbox does not let a program use a path.
enum class Refusal {
  kNone,
  kOutside,   // it lies in no sandbox directory
  kReadOnly,  // it lies in a directory that the program may only read
  kKernel,    // it lies on a file system of the kernel, such as /proc
  kSpecial,   // it is a pipe, a socket or a device
  kKept,      // it is a sandbox directory itself, which the program may not change
  kNever,     // the call makes a link or a device node or changes the owner: never allowed
};

struct RefusedPath {
  std::string call;  // name of the system call
  std::string path;  // as the program gave it; bytes other than printable ASCII are written \xNN
  std::string key;   // the key of the run file that would allow it; empty: there is none

  bool operator==(const RefusedPath& other) const {
    return call == other.call && path == other.path && key == other.key;
  }
};

struct Refusals {
  static constexpr size_t kMost = 8;           // number of paths that are kept
  static constexpr size_t kLongestPath = 200;  // characters of a path that are kept

  uint64_t count = 0;              // calls that were refused
  std::vector<RefusedPath> first;  // different refusals, in order of occurrence

  /// Records a refusal.
  /// @param changes  whether the call would have changed what the path names
  void add(const std::string& call, const std::string& path, Refusal why, bool changes);
};

}  // namespace strobe::isa
