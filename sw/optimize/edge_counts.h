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

/// Throws ProfileError when the profile is of another program than `elf`.
void expect_profile_of(const std::filesystem::path& elf, const EdgeCounts& profile);

/// What is said of a profile in which nothing belongs to the program's branches.
std::string no_branch_of(const std::filesystem::path& elf);

}  // namespace strobe::optimize
