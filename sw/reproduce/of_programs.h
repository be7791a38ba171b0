// Measures every program of a reproduction, with the results that are kept of each.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sw/reproduce/kept_results.h"
#include "sw/reproduce/reproduction_programs.h"

namespace strobe {

/// `what` of every program that is there. @param paper  its results are in PROGRAM.PAPER.json
template <class Measured, class What>
std::vector<Measured> of_programs(const std::filesystem::path& folder, const std::string& paper,
                                  const ReproductionPrograms& programs, What what) {
  std::vector<Measured> all;
  for (const ReproductionProgram& program : programs.there) {
    KeptResults kept(folder / fmt::format("{}.{}.json", program.name, paper));
    all.push_back(what(kept, program));
  }
  return all;
}

}  // namespace strobe
