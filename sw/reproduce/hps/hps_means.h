// What figures 7 and 8 of HPS have in common: means over the programs, by frequency.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sw/reproduce/hps/hps.h"

namespace strobe::reproduce::hps {

using Means = std::array<double, kFrequencies.size()>;

/// Of the programs that have such a profile, 0 where none has; `burst` is a place of kBursts.
Means accuracies(const std::vector<Sampled>& programs, Profile profile, size_t burst,
                 std::optional<double> Accuracy::*metric = &Accuracy::overlap);

/// "1/500" for the place of 500.
std::string frequency_text(size_t f);

/// A curve over the frequencies; they are two decades, so x is the logarithm.
Curve curve_of(const std::string& name, const Means& values);
Figure figure_of(const std::string& name, const std::string& title, const std::string& y_label);

}  // namespace strobe::reproduce::hps
