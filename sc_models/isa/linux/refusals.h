// What the sandbox refused a program: counted, and the first of it named.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::isa {

/// Why the sandbox does not let a program at a path.
enum class Refusal {
  kNone,
  kOutside,   // it lies in no sandbox directory
  kReadOnly,  // in one that the program may only read
  kKernel,    // on a file system of the kernel, such as /proc
  kSpecial,   // a pipe, a socket or a device
  kKept,      // a sandbox directory itself, which the program may not change
  kNever,     // a link, a device node or another owner, which no program may make
};

struct RefusedPath {
  std::string call;  // name of the system call
  std::string path;  // as the program gave it; bytes that are not printable ASCII as \xNN
  std::string key;   // the key of the run file that would allow it; empty: none does

  bool operator==(const RefusedPath& other) const {
    return call == other.call && path == other.path && key == other.key;
  }
};

struct Refusals {
  static constexpr size_t kMost = 8;           // as many are named
  static constexpr size_t kLongestPath = 200;  // characters of a path that are kept

  uint64_t count = 0;              // calls that were refused
  std::vector<RefusedPath> first;  // different ones, in the order they came

  /// @param changes  whether the call wanted to change what the path names
  void add(const std::string& call, const std::string& path, Refusal why, bool changes);
};

}  // namespace strobe::isa
