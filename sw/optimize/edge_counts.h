// The counts of branches in a result directory: what `strobe run` wrote for a profiler of edges.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "sw/profile/counts/profile.h"

namespace strobe::optimize {

/// One sentence: what cannot be used, where, why, what to do.
class ProfileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct EdgeCounts {
  std::string program;       // SHA-256 of the program whose addresses these are
  profile::Profile profile;  // a branch's pc, and where it went as the value
};

/// @param path  a result directory with one profile.*.csv, or one such file of a result directory
/// Throws ProfileError: no result, several profiles, a line that is none of a profile.
EdgeCounts read_edge_counts(const std::filesystem::path& path);

}  // namespace strobe::optimize
