// A process gives up what it no longer needs of the host, for good. What takes over a simulator
// through a fault of it can then start no program, open no socket, make no memory executable, and
// open no file but those that were granted.
//
// Two parts of the kernel do that: a seccomp filter of system calls, and Landlock, which bounds
// paths. A kernel may lack either one, so each is put in force on its own.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace strobe::confine {

/// What may be done with a path and everything below it. Nothing below it may be executed.
enum class Access {
  kRead,            // open files and list directories
  kWrite,           // the same, and write, make, rename and remove both
  kRemove,          // list directories, remove them and files
  kPlaceDirectory,  // list directories, make, rename and remove them; no file
  kPlaceFile,       // make, rename and remove files, not open those that are there
};

struct PathGrant {
  std::string path;  // one that does not exist grants nothing
  Access access;
};

struct Grants {
  std::vector<PathGrant> paths;
  pid_t child = 0;       // this process may be killed, and waited for; 0: none
  bool threads = false;  // threads may be started, which are as confined
};

/// What is in force.
struct Confinement {
  bool system_calls = false;         // the seccomp filter
  std::optional<int> landlock;       // its version in this kernel (ABI)
  std::vector<std::string> missing;  // a sentence for what is not in force, and why
};

/// Exit code of a process that made a system call which the filter refuses. It says so on stderr.
constexpr int kExitRefusedCall = 3;

/// False in a build with sanitizers, coverage or profile counters, where confine() does nothing.
#ifdef STROBE_NEVER_CONFINED
constexpr bool kBuildCanConfine = false;
#else
constexpr bool kBuildCanConfine = true;
#endif

/// Confines this process, which has one thread. Descriptors that are open stay usable. What cannot
/// be put in force is in the answer; nothing is thrown for it.
Confinement confine(const Grants& grants);

}  // namespace strobe::confine
