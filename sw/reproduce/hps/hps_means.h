// What figures 7 and 8 of HPS have in common: the programs' values at a point, and their means.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sw/reproduce/hps/hps.h"

namespace strobe::reproduce::hps {

using Means = std::array<double, kFrequencies.size()>;

/// One overlap of the programs that have such a profile; `burst` and `frequency` are places.
std::vector<double> overlaps(const std::vector<Sampled>& programs, Profile profile, size_t burst,
                             size_t frequency,
                             std::optional<double> Point::*metric = &Point::overlap);
/// Their overheads at the usual burst length.
std::vector<double> overheads(const std::vector<Sampled>& programs, Profile profile,
                              size_t frequency);

/// Means of the overlaps by frequency, 0 where no program has such a profile.
Means mean_overlaps(const std::vector<Sampled>& programs, Profile profile, size_t burst,
                    std::optional<double> Point::*metric = &Point::overlap);

/// The programs that collected too few events at this point; see too_few() of hps.h.
std::string too_few(const std::vector<Sampled>& programs, Profile profile, size_t burst,
                    size_t frequency);

/// "1/500" for the place of 500.
std::string frequency_text(size_t f);

/// A curve over the frequencies; they are two decades, so x is the logarithm.
Curve curve_of(const std::string& name, const Means& values);
Figure figure_of(const std::string& name, const std::string& title, const std::string& y_label);

}  // namespace strobe::reproduce::hps
