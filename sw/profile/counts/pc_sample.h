// A share of the instructions, chosen by a hash of their address. A bounded exhaustive profile
// keeps this share. docs/metrics.md says why the metrics of the share estimate those of the whole.
#pragma once

#include <cstdint>
#include <utility>

#include "sw/profile/counts/profile.h"

namespace strobe::profile {

/// The sample starts with all instructions; each halving drops every second of those left. Whether
/// an instruction is in the sample depends on its address and the seed alone, not on when or how
/// often it is seen.
class PcSample {
 public:
  explicit PcSample(uint64_t seed = 0) : seed_(seed) {}

  bool has(uint64_t pc) const { return halvings_ == 0 || hash(pc) >> (64 - halvings_) == 0; }
  void halve() { ++halvings_; }
  /// The number of halvings. The sample is 2^-halvings() of the instructions, in expectation.
  unsigned halvings() const { return halvings_; }

  /// The part of a profile that is in the sample.
  Profile part_of(const Profile& profile) const {
    Entries entries;
    for (const auto& entry : profile.entries()) {
      if (has(entry.first.pc)) entries.push_back(entry);
    }
    return Profile(std::move(entries));
  }

 private:
  // The hash is splitmix64, seeded.
  uint64_t hash(uint64_t pc) const {
    uint64_t z = pc ^ seed_ * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  uint64_t seed_;
  unsigned halvings_ = 0;
};

}  // namespace strobe::profile
