// Values of all programs, and the claims and cells that they make.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sw/reproduce/ephemeral/ephemeral.h"

namespace strobe::reproduce::ephemeral {

/// value(program) of each program, in their order.
template <class Of, class Value>
std::vector<double> of_all(const std::vector<Of>& programs, Value value) {
  std::vector<double> values;
  for (const Of& program : programs) values.push_back(value(program));
  return values;
}

/// The i-th profile of a program.
inline auto by(size_t i) {
  return [i](const auto& program) { return program.by[i]; };
}

/// Normalized cycles by the complete profile.
template <class Of>
std::vector<double> by_complete(const std::vector<Of>& programs) {
  return of_all(programs, [](const Of& p) { return p.normalized(p.complete); });
}

/// Takes one profile of each program, profile(program): normalized cycles, their difference from
/// those by the complete profile, overhead, overlap, error of the taken share.
template <class Of, class Profile>
std::vector<double> normalized_by(const std::vector<Of>& programs, Profile profile) {
  return of_all(programs, [&](const Of& p) { return p.normalized(profile(p).test_cycles); });
}
template <class Of, class Profile>
std::vector<double> beside_complete(const std::vector<Of>& programs, Profile profile) {
  return of_all(programs, [&](const Of& p) {
    return p.normalized(profile(p).test_cycles) - p.normalized(p.complete);
  });
}
template <class Of, class Profile>
std::vector<double> overheads_of(const std::vector<Of>& programs, Profile profile) {
  return of_all(programs, [&](const Of& p) { return p.overhead(profile(p)); });
}
template <class Of, class Profile>
std::vector<double> overlaps_of(const std::vector<Of>& programs, Profile profile) {
  return of_all(programs, [&](const Of& p) { return profile(p).overlap; });
}
template <class Of, class Profile>
std::vector<double> errors_of(const std::vector<Of>& programs, Profile profile) {
  return of_all(programs, [&](const Of& p) { return profile(p).bias_error.value(); });
}

/// a - b, program by program.
std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b);

/// 100 times the mean of fractions.
double mean_percent(const std::vector<double>& fractions);

/// The claim, but undecided where fewer than `wanted` programs were measured.
Claim only_with(size_t programs, size_t wanted, Claim claim);

}  // namespace strobe::reproduce::ephemeral
