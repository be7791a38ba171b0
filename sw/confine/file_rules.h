// Landlock: the paths that a process may open.
#pragma once

#include <string>
#include <vector>

#include "sw/confine/confine.h"

namespace strobe::confine {

/// Rules of paths, made before they are put in force: a process that has forked may do the second
/// before it becomes another program.
class PathRules {
 public:
  /// Adds to `missing` when no rules can be made; put_in_force() does nothing then.
  PathRules(const std::vector<PathGrant>& grants, std::vector<std::string>* missing);
  ~PathRules();
  PathRules(const PathRules&) = delete;
  PathRules& operator=(const PathRules&) = delete;

  bool made() const { return ruleset_ >= 0; }
  int abi() const { return abi_; }
  /// Bounds the paths of this thread, of the threads and processes it starts, and of the program
  /// that it becomes; also gives up new privileges. Makes system calls only. @return 0 or an error
  /// number
  int put_in_force() const;

 private:
  int ruleset_ = -1;
  int abi_ = 0;
};

/// Bounds the paths of this thread and of the threads it starts. Sets `landlock`, or adds to
/// `missing`. The process must have given up new privileges (PR_SET_NO_NEW_PRIVS).
void bound_paths(const std::vector<PathGrant>& grants, Confinement& confinement);

}  // namespace strobe::confine
