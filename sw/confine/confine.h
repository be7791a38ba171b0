// A process irrevocably gives up the rights on the host that it does not need. Code that takes over
// a simulator through a bug in it can then start no program, open no socket, make no memory
// executable, and open only files that were granted.
//
// Two parts of the kernel enforce that: a seccomp filter of system calls, and Landlock, which
// bounds paths. A kernel may lack either one, so each is put in force independently.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace strobe::confine {

/// What may be done with a path and everything below it.
enum class Access {
  kRead,            // open files and list directories
  kExecute,         // as kRead, and execute files: not for a run, which executes nothing
  kWrite,           // as kRead, and write, make, rename and remove both
  kRemove,          // list directories, and remove directories and files
  kPlaceDirectory,  // list, make, rename and remove directories; no access to files
  kPlaceFile,       // make, rename and remove files, but not open existing ones
};

struct PathGrant {
  std::string path;  // a path that does not exist grants nothing
  Access access;
};

struct Grants {
  std::vector<PathGrant> paths;
  pid_t child = 0;       // a process that may be killed and waited for; 0: none
  bool threads = false;  // threads may be started; they are confined in the same way
};

/// Which restrictions are in force.
struct Confinement {
  bool system_calls = false;         // the seccomp filter
  std::optional<int> landlock;       // its version (ABI) in this kernel; empty: not in force
  std::vector<std::string> missing;  // a sentence with the reason for each missing part
};

/// The exit code of a process that made a system call which the filter refuses. The process says so
/// on stderr.
constexpr int kExitRefusedCall = 3;

/// False in a build with sanitizers, coverage or profile counters, where confine() does nothing.
#ifdef STROBE_NEVER_CONFINED
constexpr bool kBuildCanConfine = false;
#else
constexpr bool kBuildCanConfine = true;
#endif

/// Confines this process, which must have one thread. Open descriptors stay usable. The result says
/// what could not be put in force; that is not an exception.
Confinement confine(const Grants& grants);

}  // namespace strobe::confine
